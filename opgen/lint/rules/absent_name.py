"""A name is used where it has no value.

What it does: in every combination of presence, enums, bools and forms, checks that what an
expression reads is there: tensors, optional attrs, and the dims that only an absent tensor
binds. The branch of an `if` that is not taken, and what stands behind `not present(x) or`,
may name what is absent.

Why: such a call would fail in the middle, or compute with nothing.

Example:

    inputs.mask = { dtype = "bool", shape = "n m", optional = true }
    outputs.y   = { dtype = "T", shape = "n m" }

How to fix: write `m if present(mask) else 0`, or make `m` an attr.
"""

from collections.abc import Iterator

from opgen.combinations import Combination, case_of, needed, where
from opgen.diagnostics import Diagnostic, Path, Where
from opgen.expr import Expr, substitute
from opgen.expr.places import spans_of_name
from opgen.lint.rule import Rule, Stage
from opgen.lint.sites import Site, span, spans_in_shape
from opgen.lint.subject import Subject
from opgen.lint.unbound import written_shape
from opgen.scope import cases_of
from opgen.shapes import Group, parse_shape

RULE = Rule("OG325", "absent-name", Stage.MEANING)

OF_A_TENSOR = ("init", "values")
ALWAYS = ("require", "attrs", "kernels", "cost", "descriptor")


def check(op: Subject) -> Iterator[Diagnostic]:
    never = {unbound.name for unbound in op.unbound}
    failing: dict[tuple[str, Path, Where], list[Combination]] = {}
    sites = [s for s in op.sites if s.sees != "condition" and _always(s)]
    written = list(op.scope.entries("outputs", "residuals", "workspace"))
    for combination in op.combinations:
        dims = op.sizes.dims(combination.values)
        known = op.sizes.bound(combination) | never
        for name, path, place in _read(op, combination, dims, sites, written):
            if name not in known and _absent(op, combination, name):
                found = failing.setdefault((name, path, place), [])
                if combination not in found[-1:]:
                    found.append(combination)
    for (name, _, place), found in failing.items():
        help_ = f"write `... if present({name}) else ...`, or require it"
        if name in op.scope.bound:
            help_ = f"make `{name}` an attr, or name it only where an input gives it"
        message = f"`{name}` has no value{where(found, op.combinations)}"
        yield RULE.at(place, message, help_)


def _always(site: Site) -> bool:
    """Whether every call reads it, or every call that has its tensor."""
    if site.sees == "formula":
        return True
    return site.path[0] in ALWAYS or site.path[2:3] and site.path[2] in OF_A_TENSOR


def _evaluated(op: Subject, combination: Combination, site: Site) -> bool:
    """Whether a call reads the site: its tensor is there, its case is the one that holds."""
    if site.path[0] in ALWAYS:
        return True
    tensor = str(site.path[-1] if site.sees == "formula" else site.path[1])
    if site.sees == "formula":
        return combination.present(tensor)
    entry = op.scope.tensors[tensor][1]
    if not combination.present(tensor) or len(site.path) == 3:
        return combination.present(tensor)
    cases = entry[str(site.path[2])]
    condition, _ = cases_of(cases)[case_of(cases, combination.values)]
    return site.path[3] == (condition or "else")


def _absent(op: Subject, combination: Combination, name: str) -> bool:
    if name in op.scope.tensors or name in combination.values:
        return not combination.present(name)
    return name in op.scope.bound or name in op.scope.derived


def _read(op: Subject, combination: Combination, dims: dict[str, Expr], sites, written) -> Iterator[tuple[str, Path, Where]]:  # fmt: skip
    values = combination.values
    for site in sites:
        if not _evaluated(op, combination, site):
            continue
        for name in needed(site.expr, values):
            spans = spans_of_name(site.text, name)
            for inner in _inner(name, dims, values):
                yield inner, site.path, span(op, site, *spans[0])
    for table, tensor, entry in written:
        if not combination.present(tensor):
            continue
        path, text = written_shape(table, tensor, entry, values)
        for term in parse_shape(text).terms:
            names = (
                [term.name] if isinstance(term, Group) else needed(term.size, values)
            )
            for name in names:
                spans = spans_in_shape(text, name)
                for inner in _inner(name, dims, values):
                    yield inner, path, op.at(path, "value", *spans[0])


def _inner(name: str, dims: dict[str, Expr], values) -> Iterator[str]:
    """What a name stands for: itself, or what a derived dim is computed from."""
    if name in dims:
        yield from needed(substitute(dims[name], dims), values)
    else:
        yield name
