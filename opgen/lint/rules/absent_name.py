"""An expression uses a name that has no value in some call.

This rule checks every combination of options. Options are the presence of tensors, bools, attrs
with `choices`, and the ranks of inputs. An expression must not read an absent tensor, an absent
attr, or a dim that only an absent tensor determines. Two places are exempt: the branch of an `if`
that is not taken, and an expression after `not present(x) or`.

Why: such a call would fail after it has started, or compute with undefined values.

Example:

    inputs.mask = { dtype = "bool", shape = "n m", optional = true }
    outputs.y   = { dtype = "T", shape = "n m" }

where only `mask` determines `m`.

How to fix: write `m if present(mask) else 0`, or make `m` an attr.
"""

from collections.abc import Iterator

from opgen.language.call_variants import Combination, case_of, where
from opgen.language.expr import Expr, names_in, substitute
from opgen.language.expr.decide import needed
from opgen.language.shapes import Group, parse_shape
from opgen.lint.expression_contexts import span_of
from opgen.lint.rule import Findings, OpContext, Rule, Stage
from opgen.lint.unbound import unbound_in_inputs
from opgen.source.diagnostics import Path, Where
from opgen.spec.tables import TENSOR_TABLES

RULE = Rule("OG325", "absent-name", Stage.MEANING)

ALWAYS = ("require", "attrs", "kernels", "cost", "descriptor")


def check(op: OpContext) -> Findings:
    never = {unbound.name for unbound in unbound_in_inputs(op)}
    failing: dict[tuple[str, str, Path], list[Combination]] = {}
    readings = [(path, reading, _all_names(reading)) for path, reading in _readings(op)]
    for combination in op.combinations:
        dims = op.sizes.dims(combination.values)
        known = op.sizes.bound(combination) | never
        sure = known.difference(dims)
        for path, reading, names in readings:
            if sure.issuperset(names) or not _evaluated(op, combination, path):
                continue
            for name, inner in _names(reading, dims, combination):
                if inner not in known and _absent(op, combination, inner):
                    found = failing.setdefault((inner, name, path), [])
                    if combination not in found[-1:]:
                        found.append(combination)
    for (inner, name, path), found in failing.items():
        help_ = f"write `... if present({inner}) else ...`, or require it"
        if inner in op.scope.bound:
            help_ = f"make `{inner}` an attr, or name it only where an input gives it"
        message = f"`{inner}` has no value{where(found, op.combinations)}"
        yield RULE.at(_place(op, path, name), message, help_)


def _readings(op: OpContext) -> Iterator[tuple[Path, Expr | Group]]:
    """Yield (path, part) for each part of the op that a call may evaluate.

    The parts are expressions, and groups in the shapes of tensors that the op allocates.
    """
    for site in op.sites:
        if site.in_shape:
            computed = site.path[0] != "inputs"
        elif site.path[0] in TENSOR_TABLES:
            computed = site.path[2] in ("init", "values") and site.part == "value"
        else:
            computed = site.path[0] in ALWAYS or site.sees == "formula"
        if computed:
            yield site.path, site.expr
    for path, text, _ in op.shapes:
        if path[0] != "inputs":
            yield from ((path, group) for group in parse_shape(text).groups)


def _evaluated(op: OpContext, combination: Combination, path: Path) -> bool:
    """Return whether a call evaluates the part at `path` in this combination.

    The call evaluates the part if the part's tensor is present, and the part's case applies.
    """
    if path[0] == "grad":
        primal = str(path[-1])
        return combination.present(primal) and op.differentiated(path, combination)
    if path[0] not in TENSOR_TABLES:
        return True
    if not combination.present(str(path[1])):
        return False
    cases = op.spec.tensors[str(path[1])].cases.get(path[2:3])
    if cases is None:
        return True
    condition, _ = cases.cases[case_of(cases, combination.values)]
    return path[3:4] == cases.key(condition)


def _all_names(reading: Expr | Group) -> tuple[str, ...]:
    return (reading.name,) if isinstance(reading, Group) else names_in(reading)


def _names(
    reading: Expr | Group, dims: dict[str, Expr], combination: Combination
) -> Iterator[tuple[str, str]]:
    """Yield (name, name read) for each name that a call needs to evaluate the part `reading`.

    For a derived dim, the second name is a name in its expression. Otherwise both names are equal.
    """
    if isinstance(reading, Group):
        yield reading.name, reading.name
        return
    for name in needed(reading, combination.values):
        if name in dims:
            whole = substitute(dims[name], dims)
            yield from ((name, inner) for inner in needed(whole, combination.values))
        else:
            yield name, name


def _absent(op: OpContext, combination: Combination, name: str) -> bool:
    if name in op.spec.tensors or name in combination.values:
        return not combination.present(name)
    return name in op.scope.bound or name in op.spec.dims


def _place(op: OpContext, path: Path, name: str) -> Where:
    for site in op.sites:
        if site.path == path and name in names_in(site.expr):
            return span_of(op, site, name)
    text = next(text for place, text, _ in op.shapes if place == path)
    return op.in_shape(path, text, name)
