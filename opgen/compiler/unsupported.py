"""What the language has and no target renders yet: refused where it would matter.

A kernel that relied on one of these would get something else than its spec says, so an op
that has such a kernel is not rendered. An op whose kernel is still to come is: its shapes,
dtypes and gradients do not depend on them, but for sizes that a function computes.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping

from opgen.ir.gradients import GRAD_KEYS
from opgen.ir.layouts import unrendered
from opgen.language.expr import ParseError, names_in, parse_expr
from opgen.language.scope import Scope, shapes_of
from opgen.language.shapes import Dim, parse_shape
from opgen.source.diagnostics import Diagnostic, Where
from opgen.source.parse_rules import NOT_RENDERED
from opgen.spec.extensions import platforms
from opgen.spec.inheritance import TENSOR_TABLES


def check_unrendered(
    place: Callable[..., Where], op: Mapping, sources: Mapping[str, object]
) -> Iterator[Diagnostic]:
    """Findings for one merged op; `sources` are those of its family, by platform."""
    kernels = op.get("kernels", {})
    if op.get("torch", {}).get("out") and "else" in kernels:
        yield _refused(place("torch", "out"), "`torch.out` of an op that may fall back")
    for platform, kernel in kernels.items() if isinstance(kernels, Mapping) else ():
        symbol = kernel.get("symbol") if isinstance(kernel, Mapping) else None
        if isinstance(symbol, Mapping) and platform in sources:
            yield _refused(place("kernels", platform, "symbol"), "a symbol by cases")
    yield from _formulas(place, op)
    if not op.get("inputs"):
        # Frameworks learn from a tensor where an op runs, and how it is batched and split.
        yield _refused(place("outputs"), "an op without inputs")
    if any(platforms()[platform].native for platform in sources):
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
        if scope.name in backwards:
            yield _refused(where, f"{computed}, in an op that is a backward,")
        if scope.section("torch").get("out"):
            yield _refused(where, f"{computed}, with `torch.out`,")
        for _, tensor, entry in scope.entries("inputs"):
            if any(_inside(name, text) for _, text in shapes_of(entry)):
                yield _refused(place("inputs", tensor, "shape"), f"{computed}, inside a term of an input,")  # fmt: skip


def _inside(name: str, shape: str) -> bool:
    """Whether `name` is a part of some term."""
    try:
        terms = parse_shape(shape).terms
    except ParseError:
        return False  # lint has said so
    sizes = (t for t in terms if isinstance(t, Dim) and t.name != name)
    return any(name in names_in(t.size) for t in sizes)


def _formulas(place: Callable[..., Where], op: Mapping) -> Iterator[Diagnostic]:
    """Formulas whose tensors do not all have one shape, where one goes by cases or rank."""
    shapes = {
        name: entry["shape"]
        for table in TENSOR_TABLES
        for name, entry in _entries(op, table)
    }
    shapes |= {f"d{name}": entry["shape"] for name, entry in _entries(op, "outputs")}
    for path, grad in _grads(op.get("grad")):
        formulas = grad.get("formulas", {}) if isinstance(grad, Mapping) else {}
        for primal, formula in formulas.items():
            named = [primal, *names_in(parse_expr(str(formula)))]
            found = [shapes[name] for name in named if name in shapes]
            if any(s != found[0] for s in found) and not all(isinstance(s, str) for s in found):  # fmt: skip
                what = "a formula over different shapes that go by cases or rank"
                yield _refused(place(*path, "formulas", primal), what)


def _grads(grad: object) -> Iterator[tuple[tuple[str, ...], object]]:
    """The cases of a gradient, each with its path."""
    if isinstance(grad, Mapping) and not {*grad} <= GRAD_KEYS:
        yield from ((("grad", case), value) for case, value in grad.items())
    else:
        yield ("grad",), grad


def _entries(op: Mapping, table: str) -> Iterator[tuple[str, Mapping]]:
    entries = op.get(table)
    for name, entry in entries.items() if isinstance(entries, Mapping) else ():
        if isinstance(entry, Mapping):
            yield name, entry


def _tensors(place: Callable[..., Where], op: Mapping) -> Iterator[Diagnostic]:
    for table in TENSOR_TABLES:
        for name, entry in _entries(op, table):
            layout = unrendered(op, table, entry)
            if layout:
                yield _refused(place(table, name, "layout"), layout)
            if isinstance(entry.get("update"), Mapping):
                yield _refused(place(table, name, "update"), "`update` by cases")


def _refused(where: Where, what: str) -> Diagnostic:
    return NOT_RENDERED.at(
        where, f"{what} is part of the language, and not rendered yet"
    )
