"""A list of kernels that a call cannot choose from.

What it does: a list has a kernel, each of a name that no other for the platform has, and none is
called `reference`. It is for a platform whose kernels are called by C++, which chooses. Only a kernel
of a list has a `name` or `guarantees`.

Why: `which`, `kernels` and `OPGEN_KERNELS` find a kernel by its name.

Example:

    kernels.cpu = [{ symbol = "f", require = ["d % 8 == 0"], grid = ["d"] }, { symbol = "f" }]

How to fix: give one of them a `name`, or another symbol.
"""

from collections.abc import Iterator

from opgen.ir.resolve_kernels import kernel_name
from opgen.lint.op_context import OpContext
from opgen.lint.rule import Rule, Stage
from opgen.source.diagnostics import Diagnostic
from opgen.spec.extensions import platforms

RULE = Rule("OG617", "kernel-list", Stage.NAMES)


def check(op: OpContext) -> Iterator[Diagnostic]:
    for platform in op.spec.empty_lists:
        where = op.at(("kernels", platform))
        yield RULE.at(where, "a list of no kernels", "name one, or leave out the platform")
    seen: set[tuple[str, str]] = set()
    for kernel in op.spec.kernels:
        if not kernel.listed:
            if kernel.name is not None and not any(k.listed for k in op.spec.kernels):
                where = op.at((*kernel.path, "name"), "key")
                yield RULE.at(where, "a `name` outside a list", "make it a list, or leave it out")
            if kernel.guarantees is not None:
                where = op.at((*kernel.path, "guarantees"), "key")
                yield RULE.at(
                    where, "`guarantees` outside a list", "make it a list: calls choose by it"
                )
            continue
        where, name = op.at(kernel.path), kernel_name(op.spec, kernel)
        if not platforms()[kernel.platform].native:
            what = f"kernels for {kernel.platform} are not called by C++, which would choose"
            yield RULE.at(where, what, "give one kernel")
        elif name == "reference":
            what = "a kernel called `reference`, which stands for the op's reference"
            yield RULE.at(where, what, "give it another `name`")
        elif (kernel.platform, name) in seen:
            what = f"two kernels for {kernel.platform} are called `{name}`"
            yield RULE.at(where, what, "give one of them a `name`")
        seen.add((kernel.platform, name))
