"""opgen cannot render the gradient of a custom operator of Neuron.

This rule checks `grad` if the kernel for Neuron is written in C++. Each backward must have a
C++ kernel for Neuron too. Formulas must use only tensors of one shape. `grad` must not have cases
or `require`.

Why: the gradient becomes an autograd.Function over the operators of the library. opgen
renders no gradient that could be wrong.

Example:

    [ops.relu]
    grad.backward  = "relu_bwd"
    kernels        = ["neuron"]

    [ops.relu_bwd]
    kernels        = ["cpu"]

How to fix: write a kernel for Neuron for the backward, or write a backward op instead of a
formula.
"""

from opgen.language.expr import names_in
from opgen.lint.rule import Findings, OpContext, Rule, Stage
from opgen.targets.neuron.lint import kernel_of

RULE = Rule("OG808", "neuron-gradient", Stage.MEANING)


def check(op: OpContext) -> Findings:
    if kernel_of(op) is None:
        return
    grads = op.spec.grad
    if grads.by_table or any("require" in grad.given for grad in grads.values()):
        message = "the gradient of a custom operator of Neuron has no cases and no `require`"
        yield RULE.at(op.at(("grad",), "key"), message, "write the kernel in NKI")
        return
    for call in op.spec.calls:
        backward = op.project.by_name.get(call.op)
        if backward is None or backward in op.project.failed:
            continue
        if kernel_of(backward) is None:
            message = f"`{call.op}` has no C++ kernel for Neuron, and `{op.name}` has one"
            help_ = "add a kernel on neuron to it"
            yield RULE.at(op.at(call.path), message, help_)
    for name in grads.only.formulas:
        yield from _formula(op, name)


def _formula(op: OpContext, primal: str) -> Findings:
    path = ("grad", "formulas", primal)
    (site,) = (site for site in op.sites if site.path == path)
    shape = op.spec.tensors[primal].forms
    for name in names_in(site.expr):
        tensor = op.cotangents.get(name, name)
        if tensor in op.spec.tensors and op.spec.tensors[tensor].forms != shape:
            message = (
                f"`{name}` and `{primal}` have other dims: the formula would have to align them"
            )
            yield RULE.at(op.at(path), message, "write a backward op")
