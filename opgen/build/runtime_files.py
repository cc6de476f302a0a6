"""The folders of the headers, adapters and CMake files for building kernels."""

from __future__ import annotations

from pathlib import Path


def runtime_dir() -> Path:
    """Return the runtime of the installed package, or of the checkout that opgen runs from."""
    package = Path(__file__).resolve().parents[1]
    installed = package / "_runtime"
    return installed if installed.is_dir() else package.parent / "runtime"


def include_dir() -> Path:
    """Return the folder of the headers, for a compiler's `-I`."""
    return runtime_dir() / "include"


def cmake_dir() -> Path:
    """Return the folder of `opgenConfig.cmake`, for CMake's `opgen_DIR`."""
    return runtime_dir() / "cmake"


def license_file() -> Path:
    """Return the licence of the runtime, which is shipped with its headers."""
    installed = runtime_dir() / "LICENSE"
    return installed if installed.is_file() else runtime_dir().parent / "LICENSE"
