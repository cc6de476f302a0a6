"""The devices that checks run on: the CPU, and a GPU if there is one."""

from __future__ import annotations

from pathlib import Path

import pytest

# A file that exists if the NVIDIA driver is loaded.
DRIVER = Path("/dev/nvidiactl")

# Tests for a GPU are collected only on a machine with a GPU.
DEVICES = ("cpu", *[pytest.param("cuda", marks=pytest.mark.gpu)] * DRIVER.exists())
