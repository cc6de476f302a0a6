"""The folders with the headers, adapters and CMake files that are needed to build kernels."""

from __future__ import annotations

from pathlib import Path


def runtime_dir() -> Path:
    """Return the runtime folder of the installed opgen, or of the checkout that opgen runs from."""
    package = Path(__file__).resolve().parents[1]
    installed = package / "_runtime"
    return installed if installed.is_dir() else package.parent / "runtime"


def include_dir() -> Path:
    """Return the folder of the headers, for a compiler's option `-I`."""
    return runtime_dir() / "include"


def cmake_dir() -> Path:
    """Return the folder of `opgenConfig.cmake`, for CMake's variable `opgen_DIR`."""
    return runtime_dir() / "cmake"


def license_file() -> Path:
    """Return the licence file of the runtime. Packages ship it with the runtime's headers."""
    installed = runtime_dir() / "LICENSE"
    return installed if installed.is_file() else runtime_dir().parent / "LICENSE"
