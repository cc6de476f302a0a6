"""A C++ kernel for Neuron has a key that custom operators do not support.

This rule allows only `symbol` (one function) and `require` in a kernel for Neuron
without `nki`.

Why: a custom operator is a function of tensors and numbers. It has no grid, no context and no
workspace, and opgen does not instantiate it. So the other keys would have no effect.

Example:

    kernels        = [{ on = "neuron", symbol = "negate", grid = ["m"] }]

How to fix: remove the key, or name an NKI kernel: `nki = "module:function"`.
"""

from opgen.lint.rule import Findings, OpContext, Rule, Stage
from opgen.targets.neuron.lint import kernel_of

RULE = Rule("OG809", "neuron-kernel", Stage.NAMES)
KEYS = ("symbol", "require", "nki", "lnc", "legacy")


def check(op: OpContext) -> Findings:
    kernel = kernel_of(op)
    if kernel is None:
        return
    for key in kernel.given:
        where = op.at((*kernel.path, key), "key")
        if key not in KEYS:
            message = f"a C++ kernel for Neuron has no `{key}`"
            yield RULE.at(where, message, "drop it, or name an NKI kernel with `nki`")
        elif key == "symbol" and kernel.symbol.by_table:
            message = "a C++ kernel for Neuron is one function"
            yield RULE.at(where, message, "let the function tell the cases apart")
