"""The guarantees of kernels, and the ones that calls may require of a list."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from opgen.ir.nodes import Kernel
from opgen.spec.models.kernels import KernelSpec
from opgen.spec.models.ops import OpSpec
from opgen.spec.models.rules import GuaranteesSpec

# The guarantees that calls may require, in the order of the bits in `opgen::guarantee`.
ASKED = ("deterministic", "invariant", "exact")


def promised_by(op: OpSpec, kernel: KernelSpec) -> GuaranteesSpec:
    """Return a kernel's guarantees: its own, or the op's for its CPU kernels."""
    if kernel.guarantees is not None:
        return kernel.guarantees
    return op.guarantees if kernel.platform == "cpu" else GuaranteesSpec()


def kept_by_all(op: OpSpec) -> GuaranteesSpec:
    """Return the op's guarantees: those of all its CPU kernels."""
    promised = [promised_by(op, kernel) for kernel in op.kernels_for("cpu")]
    return reduce(GuaranteesSpec.both, promised) if promised else op.guarantees


def asked_of(kernels: Sequence[Kernel]) -> list[tuple[str, ...]]:
    """Return, for each kernel of a list, its guarantees among `ASKED`.

    A kernel counts as invariant if it is invariant along everything that some listed kernel is.
    """
    names = {name for kernel in kernels for name in kernel.guarantees.invariant}
    found = []
    for kernel in kernels:
        kept = kernel.guarantees
        has = (kept.deterministic, bool(names) and names <= {*kept.invariant}, kept.exact)
        found.append(tuple(name for name, each in zip(ASKED, has) if each))
    return found
