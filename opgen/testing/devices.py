"""The devices on which checks run: the CPU, and a GPU if the machine has one."""

from __future__ import annotations

from pathlib import Path

import pytest

# This file exists if the NVIDIA driver is loaded.
DRIVER = Path("/dev/nvidiactl")

# Tests for a GPU are collected only on a machine that has a GPU.
DEVICES = ("cpu", *[pytest.param("cuda", marks=pytest.mark.gpu)] * DRIVER.exists())
