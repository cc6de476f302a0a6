"""What the rules for Neuron's custom operators share: whom they are for, and their source."""

from __future__ import annotations

from opgen.lint.op_context import OpContext
from opgen.source.diagnostics import Path
from opgen.spec.models.kernels import KernelSpec

GUIDE = "Neuron Custom C++ Operators Developer Guide"
KERNEL = f"{GUIDE}, Kernel Function"
REFERENCE = "Neuron Custom Operators API Reference Guide"


def kernel_of(op: OpContext) -> KernelSpec | None:
    """The op's kernel for Neuron if there is a C++ custom operator; one in NKI may have one too."""
    kernels = op.spec.kernels_for("neuron")
    found = (k for k in kernels if "nki" not in k.given or k.options["legacy"] == "operator")
    return next(found, None)


def place(op: OpContext) -> Path:
    """Where the op says that it has a kernel for Neuron."""
    return op.spec.kernels_for("neuron")[0].path
