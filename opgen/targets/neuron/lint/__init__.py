"""What the rules for Neuron's custom operators share: whom they are for, and their source."""

from __future__ import annotations

from opgen.lint.op_context import OpContext
from opgen.source.diagnostics import Path
from opgen.spec.models.kernels import KernelSpec

GUIDE = "Neuron Custom C++ Operators Developer Guide"
KERNEL = f"{GUIDE}, Kernel Function"
REFERENCE = "Neuron Custom Operators API Reference Guide"


def kernel_of(op: OpContext) -> KernelSpec | None:
    """The op's kernel for Neuron if that is a C++ custom operator; those of NKI are none."""
    kernels = (k for k in op.spec.kernels_for("neuron") if "nki" not in k.given)
    return next(kernels, None)


def place(op: OpContext) -> Path:
    """Where the op says that it has a kernel for Neuron."""
    return op.spec.kernels_for("neuron")[0].path
