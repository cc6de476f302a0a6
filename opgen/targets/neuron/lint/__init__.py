"""Common parts of the rules for Neuron's custom operators: their scope and their source."""

from __future__ import annotations

from opgen.lint.op_context import OpContext
from opgen.source.diagnostics import Path
from opgen.spec.models.kernels import KernelSpec

GUIDE = "Neuron Custom C++ Operators Developer Guide"
KERNEL = f"{GUIDE}, Kernel Function"
REFERENCE = "Neuron Custom Operators API Reference Guide"


def kernel_of(op: OpContext) -> KernelSpec | None:
    """Return the op's C++ custom operator for Neuron. An NKI op may have one too."""
    kernels = op.spec.kernels_for("neuron")
    found = (k for k in kernels if "nki" not in k.given or k.options["legacy"] == "operator")
    return next(found, None)


def place(op: OpContext) -> Path:
    """Return the place where the op declares its Neuron kernel."""
    return op.spec.kernels_for("neuron")[0].path
