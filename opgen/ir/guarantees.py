"""The guarantees that kernels give, such as determinism, and the ones that a call may require."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from opgen.ir.nodes import Kernel
from opgen.language.shapes import Group, Shape, Term, parse_shape
from opgen.spec.models.kernels import KernelSpec
from opgen.spec.models.ops import OpSpec
from opgen.spec.models.rules import DEFAULT, GuaranteesSpec

# The guarantees that calls may require, in the order of the bits in `opgen::guarantee`.
ASKED = ("deterministic", "invariant", "exact")


def promised_by(op: OpSpec, kernel: KernelSpec) -> GuaranteesSpec:
    """Return a kernel's guarantees. A CPU kernel without the key `guarantees` has the guarantees of
    the op.
    """
    words = kernel.guarantees
    if words is None:
        words = of_op(op) if kernel.platform == "cpu" else ()
    return promise(op, words)


def of_op(op: OpSpec) -> tuple[str, ...]:
    """Return the guarantees of those CPU kernels of an op that do not list their own."""
    return DEFAULT if op.guarantees is None else op.guarantees


def promise(op: OpSpec, words: Sequence[str]) -> GuaranteesSpec:
    """Return the guarantees that a spec's list of words, such as "deterministic", states."""
    return GuaranteesSpec(
        deterministic="deterministic" in words,
        invariant=leading(op) if "invariant" in words else (),
        exact="exact" in words,
    )


def leading(op: OpSpec) -> tuple[str, ...]:
    """Return the splittable dims and groups that come first in every result that contains them."""
    made = (
        t for t in (*op.outputs.values(), *op.inputs.values()) if t.table != "inputs" or t.updated
    )
    shapes = [_terms(parse_shape(form.text)) for tensor in made for form in tensor.texts]
    able = [n for n in op.sharding.named if n not in op.dims and n not in op.attrs]
    return tuple(
        name
        for name in able
        if any(name in names for names in shapes)
        and all(names.index(name) == 0 for names in shapes if name in names)
    )


def _terms(shape: Shape) -> list[str]:
    return [_name(term) for term in shape.terms]


def _name(term: Term) -> str:
    if isinstance(term, Group):
        return "" if term.each else term.name
    return str(term)


def kept_by_all(op: OpSpec) -> GuaranteesSpec:
    """Return the guarantees that all CPU kernels of the op have."""
    promised = [promised_by(op, kernel) for kernel in op.kernels_for("cpu")]
    return reduce(GuaranteesSpec.both, promised) if promised else GuaranteesSpec()


def asked_of(kernels: Sequence[Kernel]) -> list[tuple[str, ...]]:
    """Return, for each kernel, the names of those of its guarantees that calls may require.

    "invariant" is only included if the kernel is invariant along every dim along which any of the
    kernels is invariant.
    """
    names = {name for kernel in kernels for name in kernel.guarantees.invariant}
    found = []
    for kernel in kernels:
        kept = kernel.guarantees
        has = (kept.deterministic, bool(names) and names <= {*kept.invariant}, kept.exact)
        found.append(tuple(name for name, each in zip(ASKED, has) if each))
    return found
