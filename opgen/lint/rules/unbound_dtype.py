"""No tensor or attr determines the dtype of a dtype variable.

This rule checks every combination of options. A present input or an attr must determine every
free dtype variable that the dtype of a present output depends on. Some input or attr must determine
each variable that an expression uses. An optional attr determines a variable only if the attr is
present.

Why: if no tensor with the variable is present, the variable is the first dtype of its list. No
output may use the variable then, because the output's dtype would surprise the caller.

Example:

    inputs.weight = { dtype = "W", shape = "d", optional = true }
    outputs.y     = { dtype = "W", shape = "*batch d" }

How to fix: give the output the dtype of an input that is always present, or add
`attrs.W = { type = "dtype" }`.
"""

from opgen.language.call_variants import Combination, value_of, where
from opgen.language.expr import names_in
from opgen.language.expr.decide import needed
from opgen.lint.expression_contexts import span_of
from opgen.lint.rule import Findings, OpContext, Rule, Stage

RULE = Rule("OG326", "unbound-dtype", Stage.MEANING)


def check(op: OpContext) -> Findings:
    yield from _in_outputs(op)
    yield from _in_expressions(op)


def _in_expressions(op: OpContext) -> Findings:
    inputs = op.spec.inputs.values()
    carried = {dtype for tensor in inputs for dtype in tensor.dtype.values()}
    for site in op.sites:
        for name in names_in(site.expr):
            if name not in op.spec.dtypes:
                continue
            for variable in op.dtypes.free(name):
                if variable not in carried and variable not in op.spec.attrs:
                    place = span_of(op, site, name)
                    message = f"no input of the op has the dtype `{variable}`"
                    help_ = f'add `attrs.{variable} = {{ type = "dtype" }}`'
                    yield RULE.at(place, message, help_)


def _in_outputs(op: OpContext) -> Findings:
    failing: dict[tuple[str, str], list[Combination]] = {}
    known = {*op.dtypes.variables, *op.spec.attrs}
    sure = {tensor.dtype.alone for tensor in op.spec.inputs.values() if tensor.always}
    sure |= {name for name, attr in op.spec.attrs.items() if not attr.optional}
    unsure = known - sure
    asked = {
        name: tensor
        for name, tensor in op.spec.outputs.items()
        for dtype in tensor.dtype.values()
        if not unsure.isdisjoint(names_in(op.dtypes.expression(dtype)))
    }
    for combination in op.combinations if asked else ():
        values = combination.values
        given = {
            value_of(tensor.dtype, values)
            for name, tensor in op.spec.inputs.items()
            if combination.present(name)
        } | {n for n, a in op.spec.attrs.items() if not a.optional or combination.present(n)}
        for name, tensor in asked.items():
            if not combination.present(name):
                continue
            dtype = value_of(tensor.dtype, values)
            for variable in dict.fromkeys(needed(op.dtypes.expression(dtype), values)):
                if variable in known and variable not in given:
                    failing.setdefault((name, variable), []).append(combination)
    for (name, variable), found in failing.items():
        giver, help_ = (
            "no input",
            f'take the dtype of another input, or add `attrs.{variable} = {{ type = "dtype" }}`',
        )
        if variable in op.spec.attrs:
            giver, help_ = (
                "nothing",
                f'write `{{ "present({variable})" = "{variable}", else = ... }}`, or give it a default',
            )
        message = (
            f"{giver} gives `{variable}`, the dtype of `{name}`{where(found, op.combinations)}"
        )
        yield RULE.at(op.at(("outputs", name, "dtype")), message, help_)
