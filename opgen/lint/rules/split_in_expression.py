"""A dim that may be split is part of an expression in a shape.

This rule checks each name in `sharding.split`. In shapes, the name must be a term alone (`d`,
`*batch`), or the first factor of a product of names and numbers (`hk*g`, `g*2`).

Why: a shard of `2*d` does not consist of two shards of `d`. With two devices, the first would get
all of the first `d` elements. It should get half of the first and half of the last `d`. A product
is in memory order, so only its first name can be split. In `d*2`, neighbouring elements belong
together, so `d` can be split.

Example:

    inputs.x       = { dtype = "T", shape = "*batch 2*d" }
    sharding.split = ["d"]

How to fix: split another dim, or make the factor a separate dim: `"*batch 2 d"`.
"""

from opgen.language.expr import Binary, Call, Const, Expr, Name, names_in
from opgen.language.shapes import Dim
from opgen.lint.rule import Findings, OpContext, Rule, Stage
from opgen.lint.sharding import splits

RULE = Rule("OG502", "split-in-expression", Stage.MEANING)


def check(op: OpContext) -> Findings:
    found = set()
    for split in splits(op):
        for each in split.shapes:
            for term in each.shape.terms:
                if not isinstance(term, Dim):
                    continue
                for name in split.names:
                    if name not in names_in(term.size) or (each.tensor.name, name) in found:
                        continue
                    if _legal(term.size, name):
                        continue
                    found.add((each.tensor.name, name))
                    yield RULE.at(
                        op.in_shape(each.path, each.text, name),
                        f"`{name}` is split, but is inside `{term}`",
                        _help(term.size, name),
                    )


def _help(size: Expr, name: str) -> str:
    """Return the help text, which suggests splitting blocks if the block size is known."""
    match size:
        case Binary("//", Name(id=found), Const(value=block)) if found == name:
            return f"split it in whole blocks: write it as `blocks*{block}`, and split `blocks`"
        case Call("ceildiv" | "roundup", (Name(id=found), Const(value=block))) if found == name:
            return f"split it in whole blocks: write it as `blocks*{block}`, and split `blocks`"
    return "a split name is alone in its term, or leads a product"


def _inner(size: Expr, name: str) -> bool:
    """Return whether `size` is a product of positive ints and of names other than `name`."""
    match size:
        case Name(id=found):
            return found != name
        case Const(value=int() as number):
            return number > 0
        case Binary("*", left, right):
            return _inner(left, name) and _inner(right, name)
    return False


def _legal(size: Expr, name: str) -> bool:
    match size:
        case Name(id=found):
            return found == name
        case Binary("*", left, right):
            return _inner(right, name) and _legal(left, name)
    return False
