"""Checks of the built kernel library."""

from __future__ import annotations

import ctypes
import importlib.util
from typing import Any

from opgen.testing.op_under_test import OpUnderTest


def library(subject: OpUnderTest) -> Any:
    """Return the kernel library that the frameworks use: the best library for this machine."""
    if subject.library is not None:
        return subject.library
    package = subject.project.package
    parts = {name: importlib.util.find_spec(f"{package}.{name}") for name in ("torch", "jax")}
    framework = next(n for n, part in parts.items() if part and importlib.util.find_spec(n))
    subject.module(framework)  # importing the module loads the library
    own = subject.module("core._package").PACKAGE_HASH
    return ctypes.CDLL(f"lib{subject.project.namespace}_kernels-{own}.so")


def has_kernel(subject: OpUnderTest) -> bool:
    """Return whether the library contains a CPU kernel of the op."""
    return hasattr(library(subject), f"{subject.project.namespace}_{subject.name}_cpu")


def kernel(subject: OpUnderTest) -> None:
    """Check that the library contains the CPU kernel that the spec declares."""
    assert has_kernel(subject), (
        f"{subject.name}: no kernel for cpu was built: write its source in the folder of "
        "kernels, then run `opgen build`"
    )


def may_run_reference(subject: OpUnderTest) -> bool:
    """Return whether the reference may run in place of a CPU kernel.

    The reference runs if no kernel is built, and for calls that the kernels reject.
    """
    op = subject.op
    kernels = [k for k in (*op.kernels, *op.awaited) if k.platform == "cpu"]
    return op.fallback and (all(k.demanding for k in kernels) or not has_kernel(subject))
