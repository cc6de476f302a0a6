"""The dims of a formula do not match the dims of its input.

This rule checks the dims in gradient formulas. A formula aligns tensors by the names of their
dims, and sums its value over dims that the input lacks. So a dim must occur only once in a tensor,
and each dim of the input must occur in some tensor of the formula. All lists in the formula, and
the input if it is a list, must have the same length. opgen applies the formula tensor by tensor,
and sums the values if the input is not a list. Each addend must have all dims that the formula is
summed over. Otherwise the sum would count the addend once for each element.

Why: opgen does not broadcast in formulas.

Example:

    inputs.x      = { dtype = "T", shape = "m n" }
    outputs.y     = { dtype = "T", shape = "m" }
    grad.formulas = { x = "dy" }

How to fix: write a backward op for a reduction's gradient.
"""

from collections.abc import Iterator, Sequence

from opgen.language.call_variants import Combination
from opgen.language.expr import Binary, Const, Expr, names_in
from opgen.lint.expression_contexts import Site, span_of
from opgen.lint.rule import Findings, OpContext, Rule, Stage
from opgen.source.diagnostics import Diagnostic

RULE = Rule("OG416", "formula-dims", Stage.MEANING)


def check(op: OpContext) -> Findings:
    sites = [s for s in op.sites if s.sees == "formula"]
    for site in sites:
        for combination in op.combinations:
            if combination.present(str(site.path[-1])) and op.differentiated(
                site.path, combination
            ):
                finding = _problem(op, site, combination)
                if finding is not None:
                    yield finding
                    break


def _problem(op: OpContext, site: Site, combination: Combination) -> Diagnostic | None:
    if isinstance(site.expr, Const):
        return None
    primal = str(site.path[-1])
    names = [op.cotangents.get(n, n) for n in (primal, *names_in(site.expr))]
    lists = {t.list: n for n in names if (t := op.spec.tensors.get(n)) and t.list is not None}
    if len(lists) > 1:
        one, other, *_ = lists.values()
        message = f"`{one}` and `{other}` are lists of other lengths"
        return RULE.at(op.at(site.path), message, "write a backward op")
    dims: list[str] = []
    for name in names_in(site.expr):
        tensor = op.cotangents.get(name, name)
        if tensor not in op.spec.tensors or not combination.present(tensor):
            continue
        terms = _terms(op, tensor, combination)
        if len(set(terms)) < len(terms):
            where = span_of(op, site, name)
            message = f"`{tensor}` has a dim twice: its dims cannot be told apart"
            return RULE.at(where, message, "write a backward op")
        dims += terms
    wanted = _terms(op, primal, combination)
    if len(set(wanted)) < len(wanted):
        message = f"`{primal}` has a dim twice: its dims cannot be told apart"
        return RULE.at(op.at(site.path), message, "write a backward op")
    lacking = [t for t in wanted if t not in dims]
    if not lacking:
        return _counted(op, site, combination, wanted)
    message = f"nothing in the formula has the dim `{lacking[0]}` of `{primal}`"
    return RULE.at(op.at(site.path), message, "nothing is broadcast: write a backward op")


def _counted(
    op: OpContext, site: Site, combination: Combination, wanted: Sequence[str]
) -> Diagnostic | None:
    """Report an addend that lacks a dim or list over which the formula is summed."""
    found: list[tuple[str, set[str]]] = []  # for each addend: a name in it, and its dims and lists
    for addend in _addends(site.expr):
        given: dict[str, str] = {n: op.cotangents.get(n, n) for n in names_in(addend)}
        there = {n: t for n, t in given.items() if t in op.spec.tensors and combination.present(t)}
        has = {f"dim `{term}`" for t in there.values() for term in _terms(op, t, combination)}
        has |= {f"list `{k}`" for t in there.values() if (k := op.spec.tensors[t].list)}
        found += [(name, has) for name in [*there][:1]]
    primal = op.spec.tensors[str(site.path[-1])]
    own = {*(f"dim `{term}`" for term in wanted), f"list `{primal.list}`"}
    summed = {each for _, has in found for each in has} - own
    for name, has in found:
        if summed - has:
            where = span_of(op, site, name)
            message = (
                f"what is added here lacks the {min(summed - has)} of the rest, which is summed"
            )
            return RULE.at(where, message, "it would count for each element: write a backward op")
    return None


def _addends(expr: Expr) -> Iterator[Expr]:
    if isinstance(expr, Binary) and expr.op in "+-":
        yield from _addends(expr.left)
        yield from _addends(expr.right)
    else:
        yield expr


def _terms(op: OpContext, tensor: str, combination: Combination) -> list[str]:
    form = (combination.view.get(tensor) or (0, 0))[1]
    shape = op.sizes.shape(op.spec.tensors[tensor], combination.values, form)
    return [str(term) for term in shape.terms]
