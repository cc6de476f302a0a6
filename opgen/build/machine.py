"""Find the CPU level and the GPU architectures of this machine, for `opgen build`."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

# Levels of x86-64 with a separate library, in addition to the baseline library for all CPUs.
CPU_LEVELS = ("x86-64-v3", "x86-64-v4")
PLAIN = "plain"
# The GPUs that kernels are packaged for. GPUs newer than the last run its PTX.
CUDA_ARCHS = ("80", "90", "100")
HIP_ARCHS = ("gfx90a", "gfx942")
_LOADER = "/lib64/ld-linux-x86-64.so.2"


def cpu_levels() -> tuple[str, ...]:
    """Return the CPU levels to compile kernels for.

    This is the best level that the dynamic loader reports, or all levels if it reports none.
    """
    told = _output([_LOADER, "--help"])
    supported = re.findall(r"^  (x86-64-v\d) \(supported", told, re.MULTILINE)
    if not supported:
        return (PLAIN, *CPU_LEVELS)
    best = max(supported)
    return (best if best in CPU_LEVELS else PLAIN,)


def cuda_archs() -> tuple[str, ...]:
    """Return the architectures of the local GPUs.

    Without a GPU, return the oldest architecture as PTX, which runs on all GPUs.
    """
    driver = shutil.which("nvidia-smi")
    told = _output([driver, "--query-gpu=compute_cap", "--format=csv,noheader"]) if driver else ""
    found = re.findall(r"^(\d+)\.(\d+)$", told, re.MULTILINE)
    return tuple(sorted({major + minor for major, minor in found}, key=int)) or (
        f"{CUDA_ARCHS[0]}-virtual",
    )


def hip_archs(nodes: Path = Path("/sys/class/kfd/kfd/topology/nodes")) -> tuple[str, ...]:
    """Return the architectures of the local AMD GPUs.

    Without a GPU, return the architectures that wheels support.
    """
    found = set()
    for file in nodes.glob("*/properties"):
        told = re.search(r"^gfx_target_version (\d+)$", file.read_text(), re.MULTILINE)
        if told and (number := int(told[1])):  # 90010 means 9.0.10; a CPU has 0
            found.add(f"gfx{number // 10000}{number // 100 % 100:x}{number % 100:x}")
    return tuple(sorted(found)) or HIP_ARCHS


def _output(command: list[str]) -> str:
    """Return the output of a program, or an empty string if the program is missing or fails."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=10)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return "" if done.returncode else done.stdout
