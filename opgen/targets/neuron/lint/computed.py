"""A Python function computes a size of an op with a kernel for Neuron.

This rule checks that an op with a kernel for Neuron has no dim that a Python function
computes.

Why: shape functions are C++, and the `backend_config` of an NKI kernel holds attrs only. So opgen
cannot call a Python function there.

Example:

    dims.k         = "sizes.py:k"
    kernels        = [{ on = "neuron", nki = "nki_pack:pack" }]

How to fix: write the size as an expression, or write a separate op for Neuron.
"""

from opgen.lint.rule import Findings, OpContext, Rule, Stage

RULE = Rule("OG810", "neuron-computed-size", Stage.NAMES)


def check(op: OpContext) -> Findings:
    if "neuron" not in op.spec.platforms:
        return
    for name in op.scope.functions:
        message = f"`{name}` is computed by a function, which no call on Neuron makes"
        yield RULE.at(op.at(("dims", name)), message, "write it as an expression")
