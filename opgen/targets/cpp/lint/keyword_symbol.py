"""A kernel's function has a name that C++ does not allow.

This rule checks the names of a kernel's functions, which are `symbol` and `scratch`. They must
not be C++ keywords or names of opgen's runtime.

Why: the rendered code calls a function with this name. The default `symbol` is the op's name;
opgen appends an underscore if the name is a C++ keyword.

Example:

    kernels = [{ on = "cpu", symbol = "int" }]

How to fix: choose another name.
"""

from collections.abc import Iterator

from opgen.lint.rule import Findings, OpContext, Rule, Stage
from opgen.source.diagnostics import Path
from opgen.targets.cpp.names import KEPT

RULE = Rule("OG627", "keyword-symbol", Stage.NAMES)


def check(op: OpContext) -> Findings:
    for symbol, path in _functions(op):
        if symbol in KEPT:
            message = f"no function of C++ can be called `{symbol}`"
            yield RULE.at(op.at(path), message, f"choose another name, such as `{symbol}_op`")


def _functions(op: OpContext) -> Iterator[tuple[str, Path]]:
    for kernel in op.spec.kernels:
        if kernel.named:
            continue
        for below, symbol in kernel.symbol.placed():
            written = ("symbol",) if "symbol" in kernel.given else ()
            yield symbol, (*kernel.path, *written, *below)
        if kernel.workspace is not None:
            yield kernel.workspace, (*kernel.path, "scratch")
