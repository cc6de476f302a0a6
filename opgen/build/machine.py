"""The processors of this machine, for which `opgen build` compiles kernels."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

# Levels of x86-64 with a separate library, next to the plain one, which is for all.
CPU_LEVELS = ("x86-64-v3", "x86-64-v4")
PLAIN = "plain"
# The GPUs that kernels are packaged for. Newer ones than the last run its PTX.
CUDA_ARCHS = ("80", "90", "100")
HIP_ARCHS = ("gfx90a", "gfx942")
_LOADER = "/lib64/ld-linux-x86-64.so.2"


def cpu_levels() -> tuple[str, ...]:
    """The best level that the dynamic loader finds supported; all, where it does not tell."""
    told = _output([_LOADER, "--help"])
    supported = re.findall(r"^  (x86-64-v\d) \(supported", told, re.MULTILINE)
    if not supported:
        return (PLAIN, *CPU_LEVELS)
    best = max(supported)
    return (best if best in CPU_LEVELS else PLAIN,)


def cuda_archs() -> tuple[str, ...]:
    """Architectures of the GPUs here; without one the PTX of the oldest, which runs on all."""
    driver = shutil.which("nvidia-smi")
    told = _output([driver, "--query-gpu=compute_cap", "--format=csv,noheader"]) if driver else ""
    found = re.findall(r"^(\d+)\.(\d+)$", told, re.MULTILINE)
    return tuple(sorted({major + minor for major, minor in found}, key=int)) or (
        f"{CUDA_ARCHS[0]}-virtual",
    )


def hip_archs(nodes: Path = Path("/sys/class/kfd/kfd/topology/nodes")) -> tuple[str, ...]:
    """Architectures of AMD's GPUs here; without one those that wheels are packaged for."""
    found = set()
    for file in nodes.glob("*/properties"):
        told = re.search(r"^gfx_target_version (\d+)$", file.read_text(), re.MULTILINE)
        if told and (number := int(told[1])):  # 90010 is 9.0.10; a processor has 0
            found.add(f"gfx{number // 10000}{number // 100 % 100:x}{number % 100:x}")
    return tuple(sorted(found)) or HIP_ARCHS


def _output(command: list[str]) -> str:
    """The output of a program; empty if the program is missing or fails."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=10)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return "" if done.returncode else done.stdout
