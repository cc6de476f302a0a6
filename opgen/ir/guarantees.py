"""What kernels guarantee beside their numbers, and which of it calls may ask of a list."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from opgen.ir.nodes import Kernel
from opgen.spec.models.kernels import KernelSpec
from opgen.spec.models.ops import OpSpec
from opgen.spec.models.rules import GuaranteesSpec

# What calls may ask for, in the order of the bits in `opgen::guarantee`.
ASKED = ("deterministic", "invariant", "exact")


def promised_by(op: OpSpec, kernel: KernelSpec) -> GuaranteesSpec:
    """What a kernel promises: its own, or what the op says of its kernels for the CPU."""
    if kernel.guarantees is not None:
        return kernel.guarantees
    return op.guarantees if kernel.platform == "cpu" else GuaranteesSpec()


def kept_by_all(op: OpSpec) -> GuaranteesSpec:
    """What the op guarantees: what all its kernels for the CPU do."""
    promised = [promised_by(op, kernel) for kernel in op.kernels_for("cpu")]
    return reduce(GuaranteesSpec.both, promised) if promised else op.guarantees


def asked_of(kernels: Sequence[Kernel]) -> list[tuple[str, ...]]:
    """Of each kernel of a list, which of `ASKED` it keeps.

    It is invariant if it is along everything that some kernel of the list is invariant along.
    """
    names = {name for kernel in kernels for name in kernel.guarantees.invariant}
    found = []
    for kernel in kernels:
        kept = kernel.guarantees
        has = (kept.deterministic, bool(names) and names <= {*kept.invariant}, kept.exact)
        found.append(tuple(name for name, each in zip(ASKED, has) if each))
    return found
