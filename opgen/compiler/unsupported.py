"""What the language has and no target renders yet: refused, whether a kernel is there or not.

What was rendered without it would be called, and kernels written for it, before anybody is told.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

from opgen.ir.layouts import unrendered
from opgen.language.expr import ParseError, names_in, parse_expr
from opgen.language.scope import Scope
from opgen.language.shapes import Dim, parse_shape
from opgen.source.diagnostics import Diagnostic, Where
from opgen.source.parse_rules import NOT_RENDERED
from opgen.spec.extensions import platforms
from opgen.spec.op import OpSpec


def check_unrendered(place: Callable[..., Where], op: OpSpec) -> Iterator[Diagnostic]:
    """Findings for one op."""
    if op.options["torch"]["out"] and op.fallback:
        yield _refused(place("torch", "out"), "`torch.out` of an op that may fall back")
    yield from _formulas(place, op)
    if not op.inputs:
        # Frameworks learn from a tensor where an op runs, and how it is batched and split.
        yield _refused(place("outputs"), "an op without inputs")
    if any(platforms()[platform].native for platform in op.kernels):
        yield from _tensors(place, op)


def check_size_functions(
    place: Callable[..., Where], scope: Scope, backwards: Collection[str]
) -> Iterator[Diagnostic]:
    """Findings for the sizes that functions compute, kernel or not: shapes depend on them.

    `backwards` are the ops that gradients call.
    """
    computed = "a size that a function computes"
    for name in scope.functions:
        where = place("dims", name)
        if scope.spec.name in backwards:
            yield _refused(where, f"{computed}, in an op that is a backward,")
        if scope.spec.options["torch"]["out"]:
            yield _refused(where, f"{computed}, with `torch.out`,")
        for tensor in scope.spec.inputs.values():
            if any(_inside(name, form.text) for form in tensor.forms):
                where = place(*tensor.path, "shape")
                yield _refused(where, f"{computed}, inside a term of an input,")


def _inside(name: str, shape: str) -> bool:
    """Whether `name` is a part of some term."""
    try:
        terms = parse_shape(shape).terms
    except ParseError:
        return False  # lint has said so
    sizes = (t for t in terms if isinstance(t, Dim) and t.name != name)
    return any(name in names_in(t.size) for t in sizes)


def _formulas(place: Callable[..., Where], op: OpSpec) -> Iterator[Diagnostic]:
    """Formulas whose tensors do not all have one shape, where one depends on cases or rank."""
    tensors = {**op.tensors, **{f"d{name}": t for name, t in op.outputs.items()}}
    for grad in op.grad.values():
        for primal, formula in grad.formulas.items():
            named = [primal, *names_in(parse_expr(formula))]
            found = [tensors[name] for name in named if name in tensors]
            if any(t.shape != found[0].shape for t in found) and any(
                t.one_shape is None for t in found
            ):
                what = "a formula over different shapes that depend on cases or rank"
                yield _refused(place(*grad.path, "formulas", primal), what)


def _tensors(place: Callable[..., Where], op: OpSpec) -> Iterator[Diagnostic]:
    for tensor in op.tensors.values():
        layout = unrendered(op, tensor)
        if layout:
            yield _refused(place(*tensor.path, "layout"), layout)
        if tensor.update.by_table:
            yield _refused(place(*tensor.path, "update"), "`update` by cases")


def _refused(where: Where, what: str) -> Diagnostic:
    return NOT_RENDERED.at(where, f"{what} is part of the language, and not rendered yet")
