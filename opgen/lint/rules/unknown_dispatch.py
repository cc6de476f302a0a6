"""`dispatch` names something that is not a dtype variable of the op.

This rule looks up every name in a kernel's `dispatch` among the op's dtype attrs and the dtype
variables of its tensors. An optional dtype attr is rejected, because some calls have no dtype for
it.

Why: these names become the kernel's template parameters.

Example:

    kernels      = [{ on = "cuda", symbol = "rms_norm", dispatch = ["X"] }]

How to fix: name a variable of `[dtypes]` that a tensor has, or write `[]` for a plain C function.
"""

from opgen.lint.dispatch import variables_of
from opgen.lint.rule import Findings, OpContext, Rule, Stage
from opgen.source.diagnostics import did_you_mean

RULE = Rule("OG601", "unknown-dispatch", Stage.TYPES)


def check(op: OpContext) -> Findings:
    known = variables_of(op)
    for kernel in op.spec.kernels:
        dispatch = kernel.dispatch or ()
        for n, name in enumerate(dispatch):
            where = op.at((*kernel.path, "dispatch", n))
            if name not in known:
                message = f"`{name}` is no dtype variable of `{op.name}`"
                yield RULE.at(where, message, did_you_mean(name, known))
            elif name in dispatch[:n]:
                yield RULE.at(where, f"`{name}` is listed twice", "leave one out")
