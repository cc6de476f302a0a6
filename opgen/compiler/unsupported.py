"""What the language has and no target renders yet: refused, whether a kernel is there or not.

What was rendered without it would be called, and kernels written for it, before anybody is told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from opgen.language.dtypes import DTYPES
from opgen.language.expr import names_in, parse_expr
from opgen.language.scope import Scope
from opgen.language.shapes import parse_shape
from opgen.source.diagnostics import Diagnostic, Where
from opgen.source.parse_rules import NOT_RENDERED
from opgen.spec.op import OpSpec, TensorSpec


def check_unrendered(place: Callable[..., Where], op: OpSpec) -> Iterator[Diagnostic]:
    """Findings for one op."""
    yield from _formulas(place, op)
    if not op.inputs:
        # Frameworks learn from a tensor where an op runs, and how it is batched and split.
        yield _refused(place("outputs"), "an op without inputs")


def _formulas(place: Callable[..., Where], op: OpSpec) -> Iterator[Diagnostic]:
    """Formulas that read complex numbers, or align tensors of which one has several forms, some
    with a group."""
    tensors = {**op.tensors, **{f"d{name}": t for name, t in op.outputs.items()}}
    for grad in op.grad.values():
        for primal, formula in grad.formulas.items():
            named = [primal, *names_in(parse_expr(formula))]
            found = [tensors[name] for name in named if name in tensors]
            if any(_complex(op, name) for name in named[1:]):
                what = "a formula that reads a complex number beside the cotangent"
                yield _refused(place(*grad.path, "formulas", primal), what)
            if any(t.shape != found[0].shape for t in found) and any(map(_by_rank, found)):
                what = "a formula over different shapes, of which one has a group and goes by rank"
                yield _refused(place(*grad.path, "formulas", primal), what)


def _complex(op: OpSpec, name: str) -> bool:
    """Whether a tensor, but no cotangent, or an attr is complex in some call: PyTorch's gradients
    are of its conjugate, JAX's of itself."""
    if name in op.attrs:
        return op.attrs[name].type == "complex"
    dtypes = Scope(op).dtypes_of(op.tensors[name]) if name in op.tensors else ()
    return any(DTYPES[dtype].kind == "complex" for dtype in dtypes if dtype in DTYPES)


def _by_rank(tensor: TensorSpec) -> bool:
    """Whether the rank of its groups decides which shape a tensor has."""
    return any(
        len(forms) > 1 and any(parse_shape(form.text).groups for form in forms)
        for forms in tensor.shape.values()
    )


def _refused(where: Where, what: str) -> Diagnostic:
    return NOT_RENDERED.at(where, f"{what} is part of the language, and not rendered yet")
