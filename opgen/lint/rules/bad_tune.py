"""A kernel's `tune` is not valid.

This rule checks that `tune` lists values of at least 1 for each parameter, without duplicates.
At least one parameter must have several values, and there must be at most 64 combinations. opgen
must compile the kernel itself: the kernel has no `call`, and its platform runs C++ kernels. In a
Triton kernel, a parameter must not be in `tune` and also in `constexpr`, `num_warps` or
`num_stages`. `num_warps` must be powers of two, at most 32.

Why: `opgen tune` measures every combination of values for every size. opgen then passes the best
values to the kernel.

Example:

    kernels     = [{ on = "cpu", tune = { grain = [8192, 8192] } }]

How to fix: follow the message.
"""

import math

from opgen.lint.rule import Findings, OpContext, Rule, Stage
from opgen.spec.extensions import platforms
from opgen.spec.models.kernels import KernelSpec

RULE = Rule("OG623", "bad-tune", Stage.NAMES)

COMBINATIONS_AT_MOST = 64


def check(op: OpContext) -> Findings:
    for kernel in op.spec.kernels:
        if "tune" in kernel.given:
            yield from _owner(op, kernel)
            yield from _values(op, kernel)


def _owner(op: OpContext, kernel: KernelSpec) -> Findings:
    where = op.at((*kernel.path, "tune"), "key")
    if kernel.call is not None:
        message = "`tune` and `call` exclude each other: nobody gives the function the values"
        yield RULE.at(where, message, "keep one")
    elif not platforms()[kernel.platform].native:
        message = (
            f"`tune` is for kernels that are compiled here, and those of {kernel.platform} are not"
        )
        yield RULE.at(where, message, "remove it")


def _values(op: OpContext, kernel: KernelSpec) -> Findings:
    for name, values in kernel.tune.items():
        where = op.at((*kernel.path, "tune", name))
        if min(values) < 1:
            yield RULE.at(where, f"{min(values)} is no value to tune", "write numbers from 1 on")
        if len({*values}) < len(values):
            yield RULE.at(where, "a value is there twice", "write each once, the default first")
    where = op.at((*kernel.path, "tune"), "key")
    count = math.prod(map(len, kernel.tune.values()))
    if count < 2:
        yield RULE.at(where, "there is nothing to choose among", "write two values or more")
    if count > COMBINATIONS_AT_MOST:
        message = (
            f"{count} combinations, each measured on every size: {COMBINATIONS_AT_MOST} at most"
        )
        yield RULE.at(where, message, "leave out values, or parameters")
