"""Two ops use one kernel symbol on the same platform.

This rule compares the symbols (function names) of all kernels of all specs. The default symbol
is the op's name.

Why: the kernel of each op receives a different generated struct.

Example: `{ on = "cpu", symbol = "norm" }` in two ops.

How to fix: give one of the kernels another symbol.
"""

from collections.abc import Iterator

from opgen.lint.rule import Findings, OpContext, Project, Rule, Stage
from opgen.source.diagnostics import Path

RULE = Rule("OG606", "duplicate-symbol", Stage.NAMES, on=("project",), overrulable=True)


def check(project: Project) -> Findings:
    first: dict[tuple[str, str], str] = {}
    for op in project.subjects:
        for platform, symbol, path in _symbols(op):
            owner = first.setdefault((platform, symbol), op.name)
            if owner != op.name:
                yield RULE.at(
                    op.at(path),
                    f"`{owner}` has a {platform} kernel called `{symbol}` too",
                    "give one of them another `symbol`",
                )


def _symbols(op: OpContext) -> Iterator[tuple[str, str, Path]]:
    for kernel in op.spec.kernels:
        if kernel.named:
            continue
        path = (*kernel.path, *(["symbol"] if "symbol" in kernel.given else []))
        for symbol in kernel.symbol.values() if kernel.symbol else (op.name,):
            yield kernel.platform, symbol, path
