"""Functions that several lint rules for Neuron share."""

from __future__ import annotations

from opgen.lint.op_context import OpContext
from opgen.source.diagnostics import Path
from opgen.spec.models.kernels import KernelSpec

GUIDE = "Neuron Custom C++ Operators Developer Guide"
KERNEL = f"{GUIDE}, Kernel Function"
REFERENCE = "Neuron Custom Operators API Reference Guide"


def kernel_of(op: OpContext) -> KernelSpec | None:
    """Return the op's C++ kernel for Neuron, or None. The op may have an NKI kernel too."""
    kernels = op.spec.kernels_for("neuron")
    found = (k for k in kernels if "nki" not in k.given or k.options["legacy"] == "operator")
    return next(found, None)


def place(op: OpContext) -> Path:
    """Return the location in the spec where the op declares its kernel for Neuron."""
    return op.spec.kernels_for("neuron")[0].path
