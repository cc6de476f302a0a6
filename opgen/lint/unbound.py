"""Names that have no value in some combination."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.combinations import Combination, case_of, needed, where
from opgen.diagnostics import Where
from opgen.expr import Expr, substitute
from opgen.lint.sites import spans_in_shape
from opgen.lint.subject import Subject
from opgen.scope import cases_of
from opgen.shapes import Group, parse_shape


def unbound_in_inputs(op: Subject, kind: str) -> list[tuple[str, Where, str]]:
    """(name, place, in which combination) of each `dim` or `group` that an input's shape holds
    and nothing binds, each once."""
    failing: dict[str, list[Combination]] = {}
    places: dict[str, Where] = {}
    for combination in op.combinations:
        known = op.sizes.bound(combination)
        for name, path, text in _input_names(op, combination, kind):
            if name not in known and combination not in failing.setdefault(name, []):
                failing[name].append(combination)
                spans = spans_in_shape(text, name) or [(0, len(text))]
                places.setdefault(name, op.at(path, "value", *spans[0]))
    return [
        (name, places[name], where(found, op.combinations))
        for name, found in failing.items()
        if found
    ]


def _input_names(op: Subject, combination: Combination, kind: str) -> Iterator[tuple[str, tuple, str]]:  # fmt: skip
    dims = op.sizes.dims(combination.values)
    for table, tensor, entry in op.scope.entries("inputs"):
        view = combination.view[tensor]
        if view is None:
            continue
        path, text = shape_text(table, tensor, entry, view)
        for term in parse_shape(text).terms:
            if isinstance(term, Group):
                names = [term.name] if kind == "group" else []
            else:
                names = list(_dims_in(term.size, dims, combination)) if kind == "dim" else []  # fmt: skip
            yield from ((name, path, text) for name in names if name != "i")


def _dims_in(size: Expr, dims: dict[str, Expr], combination: Combination) -> Iterator[str]:  # fmt: skip
    yield from needed(substitute(size, dims), combination.values)


def shape_text(table: str, tensor: str, entry, view: tuple[int, int] | None) -> tuple[tuple, str]:  # fmt: skip
    """The path and text of a shape in one combination."""
    case, form = view or (0, 0)
    condition, value = cases_of(entry["shape"])[case]
    path: tuple = (table, tensor, "shape")
    if isinstance(entry["shape"], dict):
        path += (condition or "else",)
    return ((*path, form), value[form]) if isinstance(value, list) else (path, value)


def written_shape(table: str, tensor: str, entry, values) -> tuple[tuple, str]:
    """The path and text of the shape of an output, residual or workspace."""
    return shape_text(table, tensor, entry, (case_of(entry["shape"], values), 0))
