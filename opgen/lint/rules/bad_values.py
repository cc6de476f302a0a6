"""`values` is on an input without numeric elements, or is not a condition on the elements.

This rule checks that `values` is a condition on the elements of an input of integers or real
numbers. The condition must use the input's name. `offsets` and `distinct` require an integer input.
`offsets`, `ascending` and `distinct` apply along the last dim, so the shape of such an input must
end in a dim, not in a group. The argument of `ascending` and `distinct` is the input's name. `and`
joins these functions to other conditions.

Why: `values` defines which elements are valid, for example which indices or labels. The tests draw
only valid elements. So in a test, a kernel does not read outside its memory or compute the root of
a negative number.

Example:

    inputs.mask = { dtype = "bool", shape = "n", values = "mask" }

How to fix: remove `values`, and describe other conditions in `doc`.
"""

from opgen.language.expr import Call, Name, calls_in, is_offsets, names_in
from opgen.language.expr.syntax import OF_ROWS, conjuncts
from opgen.language.shapes import Dim, parse_shape
from opgen.lint.rule import Findings, OpContext, Rule, Stage

RULE = Rule("OG310", "bad-values", Stage.MEANING)


def check(op: OpContext) -> Findings:
    for site in op.sites:
        if site.sees != "element":
            continue
        name = str(site.path[1])
        bounds = is_offsets(site.expr)
        rows = [call for call in calls_in(site.expr) if call.func in OF_ROWS]
        alone = [Call(func, (Name(name),)) for func in OF_ROWS]
        kind = op.element(name).removesuffix("?")
        if kind != "int" and (kind != "float" or bounds):
            what = "integers" if bounds else "numbers"
            where = op.at((*site.path[:2], "values"), "key")
            yield RULE.at(where, f"`{name}` does not hold {what}", "leave `values` out")
        elif (bounds or rows) and any(map(_ends_in_no_dim, _shapes(op, name))):
            what = "offsets go" if bounds else f"`{rows[0].func}` goes"
            message = f"{what} along the last dim, and the shape of `{name}` ends in none"
            yield RULE.at(op.at((*site.path[:2], "shape")), message, 'for example: "*batch n+1"')
        elif wrong := [
            call for call in rows if call not in alone or call not in conjuncts(site.expr)
        ]:
            func = wrong[0].func
            message = f"`{func}` is a condition on the whole `{name}`, alone or joined by `and`"
            yield RULE.at(op.at(site.path), message, f'write "{func}({name}) and 0 <= {name} < n"')
        elif not bounds and name not in names_in(site.expr):
            message = f"the condition says nothing of `{name}`"
            yield RULE.at(op.at(site.path), message, f'write "0 <= {name} < n"')


def _shapes(op: OpContext, name: str) -> list[str]:
    return [form.text for form in op.spec.inputs[name].texts]


def _ends_in_no_dim(shape: str) -> bool:
    terms = parse_shape(shape).terms
    return not terms or not isinstance(terms[-1], Dim)
