"""Stand-in for custom operators' `load` and `load_library`, by `torch.utils.cpp_extension`.

Signatures and meaning: AWS Neuron, "Neuron Custom C++ Operators Developer Guide", Building and
executing operators.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

import torch
from torch.utils import cpp_extension

SHIM = Path(__file__).resolve().parents[3]
DEVICE_FLAGS = ("-std=c++14", "-fno-exceptions", "-Wall", "-Werror", "-fsyntax-only")


def load(
    name: str,
    compute_srcs: Sequence[str],
    shape_srcs: Sequence[str],
    extra_cflags: Sequence[str] = (),
    extra_include_paths: Sequence[str] = (),
    build_directory: str | None = None,
    multicore: bool = False,
    verbose: bool = False,
) -> None:
    """Build `lib<name>.so` in `build_directory` and load it into this process.

    The compute sources are first checked as device code: C++14 without exceptions, with the
    declarations of Neuron's tensor library. Then all sources are compiled for the host.
    """
    assert not multicore, "the stand-in has one core"
    folders = [f"-I{folder}" for folder in extra_include_paths]
    for source in compute_srcs:
        command = [os.environ.get("CXX", "c++"), *DEVICE_FLAGS, *extra_cflags]
        command += [f"-I{SHIM / 'device'}", *folders, source]
        subprocess.run(command, check=True)
    cpp_extension.load(
        name=f"lib{name}",
        sources=[*shape_srcs, *compute_srcs],
        extra_cflags=[*extra_cflags],
        extra_include_paths=[str(SHIM / "host"), *extra_include_paths],
        build_directory=build_directory,
        is_python_module=False,
        verbose=verbose,
    )


def load_library(path: str) -> None:
    """Load a library that `load` has built, even in another process."""
    torch.ops.load_library(path)
