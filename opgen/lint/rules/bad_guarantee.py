"""An op guarantees more than its kernels do.

This rule checks the `guarantees` of ops and of their kernels. `exact` requires a reference.
Any guarantee of an op requires a CPU kernel, because the tests call the CPU kernel. Each CPU
kernel of the op must have the guarantees of the op.

Why: users cannot rely on a guarantee that no test can check.

Example:

    guarantees = ["deterministic"]
    kernels    = [{ on = "cpu", symbol = "fast", guarantees = [] }, "cpu"]

How to fix: remove guarantees that no test can check, and guarantees that some kernel does not
have.
"""

from opgen.ir.resolve_kernels import kernel_name
from opgen.lint.rule import Findings, OpContext, Rule, Stage
from opgen.source.diagnostics import Path

RULE = Rule("OG515", "bad-guarantee", Stage.NAMES)


def check(op: OpContext) -> Findings:
    kept = op.spec.guarantees or ()
    if kept and not any(k.platform == "cpu" for k in op.spec.kernels):
        what = f"no kernel of `{op.name}` for the CPU keeps it"
        yield RULE.at(op.at(("guarantees",)), what, "leave `guarantees` out")
    yield from _exact(op, ("guarantees",), kept)
    for kernel in op.spec.kernels:
        if kernel.guarantees is None:
            continue
        path = (*kernel.path, "guarantees")
        yield from _exact(op, path, kernel.guarantees)
        for word in kept if kernel.platform == "cpu" else ():
            if word not in kernel.guarantees:
                name = kernel_name(op.spec, kernel)
                yield RULE.at(
                    op.at(path),
                    f"`{op.name}` is {word}, and its kernel `{name}` is not",
                    f"add `{word}`, or leave it out of the op's `guarantees`",
                )


def _exact(op: OpContext, path: Path, words: tuple[str, ...]) -> Findings:
    if "exact" in words and op.spec.reference is None:
        yield RULE.at(
            op.at((*path, words.index("exact"))),
            f"`{op.name}` has no reference to be exact to",
            "give it one, or leave `exact` out",
        )
