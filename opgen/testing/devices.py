"""Where checks run: on the CPU, and on a GPU where there is one."""

from __future__ import annotations

from pathlib import Path

import pytest

# What the driver of an NVIDIA GPU makes.
DRIVER = Path("/dev/nvidiactl")

DEVICES = (
    "cpu",
    pytest.param(
        "cuda",
        marks=[pytest.mark.gpu, pytest.mark.skipif(not DRIVER.exists(), reason="there is no GPU")],
    ),
)
