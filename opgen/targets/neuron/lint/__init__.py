"""What the rules for Neuron's custom operators share: whom they are for, and their source."""

from __future__ import annotations

from collections.abc import Mapping

from opgen.lint.op_context import OpContext
from opgen.source.diagnostics import Path

GUIDE = "Neuron Custom C++ Operators Developer Guide"
KERNEL = f"{GUIDE}, Kernel Function"
REFERENCE = "Neuron Custom Operators API Reference Guide"


def kernel_of(op: OpContext) -> Mapping | None:
    """The op's kernel for Neuron if that is a C++ custom operator; those of NKI are none."""
    kernels = op.table["kernels"]
    if isinstance(kernels, list):
        return {} if "neuron" in kernels else None
    kernel = op.scope.section("kernels").get("neuron")
    if isinstance(kernel, str):
        return {"symbol": kernel}
    return None if kernel is None or "nki" in kernel else kernel


def place(op: OpContext) -> Path:
    """Where the op says that it has a kernel for Neuron."""
    kernels = op.table["kernels"]
    if isinstance(kernels, list):
        return ("kernels", kernels.index("neuron"))
    return ("kernels", "neuron")
