"""The presence of a tensor depends on itself.

This rule follows the names in each `when`. A `when` may depend on the presence of other
tensors. It may also depend on dtypes, which are known only if a tensor with the dtype is present.

Why: opgen decides presence and dtypes one after the other, in the order of their dependencies.

Example:

    inputs.a = { dtype = "T", shape = "n", when = "present(b)" }
    inputs.b = { dtype = "T", shape = "n", when = "present(a)" }

How to fix: make one of the tensors `optional`, or let an attr decide.
"""

from opgen.language.expr import names_in, parse_expr
from opgen.lint.rule import Findings, OpContext, Rule, Stage
from opgen.lint.rules.dtype_circle import circles

RULE = Rule("OG316", "circular-when", Stage.TYPES)


def check(op: OpContext) -> Findings:
    reads = {
        name: list(names_in(parse_expr(tensor.when)))
        for name, tensor in op.spec.tensors.items()
        if tensor.when is not None
    }
    if not reads:
        return
    for chain in circles([*reads], reads | {v: _read_by_dtype(op, v) for v in op.spec.dtypes}):
        yield RULE.at(
            op.at((*op.spec.tensors[chain[0]].path, "when")),
            f"`when` goes round in a circle: {' -> '.join(chain)}",
            "let an attr decide, or make one of them `optional`",
        )


def _read_by_dtype(op: OpContext, variable: str) -> list[str]:
    """Return the names whose value or presence decides the dtype of `variable`."""
    derived = op.spec.dtypes[variable].value
    if derived:
        return [n for case in derived.cases for t in case if t for n in names_in(parse_expr(t))]
    if variable in op.spec.attrs:
        return []
    found = []
    for name, tensor in op.spec.inputs.items():
        for condition, dtype in tensor.dtype.cases:
            if dtype == variable:
                if condition is None and tensor.when is None:
                    return []
                found += [name] if tensor.when is not None else []
                found += names_in(parse_expr(condition)) if condition else []
    return found
