"""A `torch.out` for results that a caller cannot give the memory of.

What it does: with `torch.out = true` an op has outputs; each is always there, is no list
and has no `length` and no `layout`; and nothing else of it is called `out`.

Why: the caller gives one tensor for each output, of the output's shape.

Example:

    outputs.keep = { dtype = "i64", shape = "n", length = "count" }
    torch.out    = true

How to fix: leave out `torch.out`.
"""

from collections.abc import Iterator

from opgen.lint.op_context import OpContext
from opgen.lint.rule import Rule, Stage
from opgen.source.diagnostics import Diagnostic

RULE = Rule("OG615", "bad-out", Stage.NAMES)
HELP = "leave out `torch.out`"
WORDS = {
    "optional": "may be absent",
    "when": "may be absent",
    "list": "is a list",
    "length": "is cut to its length",
    "layout": "has a layout of its own",
}


def check(op: OpContext) -> Iterator[Diagnostic]:
    if not op.scope.section("torch").get("out"):
        return
    outputs = op.scope.section("outputs")
    if not outputs:
        yield RULE.at(op.at(("torch", "out")), "the op has no outputs", HELP)
    for name, entry in outputs.items():
        for key, what in WORDS.items():
            if entry.get(key):
                message = f"`{name}` {what}: nobody can give it a tensor"
                yield RULE.at(op.at(("outputs", name), "key"), message, HELP)
    for table in ("inputs", "attrs"):
        if "out" in op.scope.section(table):
            message = "`out` is what the results are written to"
            yield RULE.at(op.at((table, "out"), "key"), message, "rename it")
