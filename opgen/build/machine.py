"""Find the CPU level and the GPU architectures of this machine, for `opgen build`.

A CPU level is a set of instructions, such as `x86-64-v3`.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path

# The x86-64 levels that have a separate library. A baseline library runs on all CPUs.
CPU_LEVELS = ("x86-64-v3", "x86-64-v4")
PLAIN = "plain"
# The GPU architectures for which packages contain code. Newer GPUs use the PTX of the last one.
CUDA_ARCHS = ("80", "90", "100")
HIP_ARCHS = ("gfx90a", "gfx942")
CPP_COMPILERS = ("c++", "g++", "clang++")
NO_COMPILER = "no C++ compiler was found: install g++ or clang++, or set CXX"
_LOADER = "/lib64/ld-linux-x86-64.so.2"


def cpp_compiler() -> list[str]:
    """Return the command of the C++ compiler, from `CXX` or `PATH`. It is empty if none exists."""
    given = shlex.split(os.environ.get("CXX", ""))
    return given or [*filter(shutil.which, CPP_COMPILERS)][:1]


def cpu_levels() -> tuple[str, ...]:
    """Return the CPU levels for which to compile kernels.

    The result is the best level that this machine supports, according to the dynamic loader. If the
    loader does not report levels, all levels are returned.
    """
    told = _output([_LOADER, "--help"])
    supported = re.findall(r"^  (x86-64-v\d) \(supported", told, re.MULTILINE)
    if not supported:
        return (PLAIN, *CPU_LEVELS)
    best = max(supported)
    return (best if best in CPU_LEVELS else PLAIN,)


def cuda_archs() -> tuple[str, ...]:
    """Return the architectures of this machine's GPUs.

    Without a GPU, return the oldest supported architecture as PTX, which newer GPUs can run.
    """
    driver = shutil.which("nvidia-smi")
    told = _output([driver, "--query-gpu=compute_cap", "--format=csv,noheader"]) if driver else ""
    found = re.findall(r"^(\d+)\.(\d+)$", told, re.MULTILINE)
    return tuple(sorted({major + minor for major, minor in found}, key=int)) or (
        f"{CUDA_ARCHS[0]}-virtual",
    )


def hip_archs(nodes: Path = Path("/sys/class/kfd/kfd/topology/nodes")) -> tuple[str, ...]:
    """Return the architectures of this machine's AMD GPUs.

    Without an AMD GPU, return the architectures for which packages contain code by default.
    """
    found = set()
    for file in nodes.glob("*/properties"):
        told = re.search(r"^gfx_target_version (\d+)$", file.read_text(), re.MULTILINE)
        if told and (number := int(told[1])):  # 90010 means version 9.0.10, and a CPU has 0
            found.add(f"gfx{number // 10000}{number // 100 % 100:x}{number % 100:x}")
    return tuple(sorted(found)) or HIP_ARCHS


def _output(command: list[str]) -> str:
    """Return the output of a program, or an empty string if the program is missing or fails."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=10)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return "" if done.returncode else done.stdout
