"""The value of an `init` does not fit the tensor's dtype.

This rule checks that `init` is an int if the tensor has an integer dtype. For an unsigned
dtype, `init` must not be a negative constant.

Why: opgen never casts a value silently.

Example:

    workspace.counts = { dtype = "i32", shape = "n", init = "0.5" }

How to fix: write a value that the dtype can hold.
"""

from opgen.language.dtypes import DTYPES
from opgen.language.expr import Const
from opgen.language.expr.types import type_of
from opgen.lint.rule import Findings, OpContext, Rule, Stage

RULE = Rule("OG306", "bad-init", Stage.MEANING)


def check(op: OpContext) -> Findings:
    for site in op.sites:
        if site.path[-1] != "init" or len(site.path) != 3:
            continue
        name = str(site.path[1])
        kinds = {DTYPES[d].kind for d in op.scope.dtypes_of(op.spec.tensors[name])}
        found = type_of(site.expr, lambda n: op.lookup(site, n))
        value = site.expr.value if isinstance(site.expr, Const) else 0
        negative = isinstance(value, int | float) and value < 0
        if found == "float" and kinds & {"int", "uint"}:
            message = f"`{name}` holds ints, `{site.text}` is a float"
            yield RULE.at(op.at(site.path), message, "write an int")
        elif negative and "uint" in kinds:
            message = f"`{name}` is unsigned and cannot hold `{site.text}`"
            yield RULE.at(op.at(site.path), message, "choose a signed dtype")
