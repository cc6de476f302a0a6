"""The devices that checks run on: the CPU, and a GPU if there is one."""

from __future__ import annotations

from pathlib import Path

import pytest

# A file that NVIDIA's driver creates.
DRIVER = Path("/dev/nvidiactl")

# Without a GPU no test of one is collected.
DEVICES = ("cpu", *[pytest.param("cuda", marks=pytest.mark.gpu)] * DRIVER.exists())
