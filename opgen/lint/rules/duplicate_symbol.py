"""Two ops use one kernel symbol on the same platform.

What it does: compares the symbols of all kernels of all specs; without a `symbol` it is the
op's name.

Why: each op's kernel takes its own generated struct.

Example: `kernels.cpu = "norm"` in two ops.

How to fix: give one of them another symbol.
"""

from collections.abc import Iterator

from opgen.language.scope import cases_of
from opgen.lint.op_context import OpContext, Project
from opgen.lint.rule import Rule, Stage
from opgen.source.diagnostics import Diagnostic
from opgen.spec.extensions import named_kernel

RULE = Rule("OG606", "duplicate-symbol", Stage.NAMES, on=("project",), overrulable=True)


def check(project: Project) -> Iterator[Diagnostic]:
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


def _symbols(op: OpContext) -> Iterator[tuple[str, str, tuple]]:
    kernels = op.table.get("kernels")
    if isinstance(kernels, list):
        for n, platform in enumerate(kernels):
            yield platform, op.name, ("kernels", n)
        return
    for platform, kernel in op.scope.section("kernels").items():
        path: tuple = ("kernels", platform)
        if platform == "else" or isinstance(kernel, dict) and named_kernel(platform, kernel):  # fmt: skip
            continue
        if isinstance(kernel, str):
            yield platform, kernel, path
        elif "symbol" not in kernel:
            yield platform, op.name, path
        else:
            for _, symbol in cases_of(kernel["symbol"]):
                yield platform, str(symbol), (*path, "symbol")
