"""Folders of the headers, adapters and CMake files that kernels are built with."""

from __future__ import annotations

from pathlib import Path


def runtime_dir() -> Path:
    """The runtime of the installed package, or of the checkout that opgen runs from."""
    package = Path(__file__).resolve().parents[1]
    installed = package / "_runtime"
    return installed if installed.is_dir() else package.parent / "runtime"


def include_dir() -> Path:
    """The folder of the headers, for a compiler's `-I`."""
    return runtime_dir() / "include"


def cmake_dir() -> Path:
    """The folder of `opgenConfig.cmake`, for CMake's `opgen_DIR`."""
    return runtime_dir() / "cmake"


def license_file() -> Path:
    """The licence of the runtime, which goes where its headers go."""
    installed = runtime_dir() / "LICENSE"
    return installed if installed.is_file() else runtime_dir().parent / "LICENSE"
