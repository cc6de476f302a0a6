"""The tensors saved for the backward changed.

This rule compares the residuals, and the values that each backward call reads.

Why: a saved program with a forward and its backward passes these tensors from one to the other.

How to fix: keep the tensors, or accept the break.
"""

from __future__ import annotations

from collections.abc import Iterator

from opgen.diff.rule import Path, Rule
from opgen.ir.op import Op

RULE = Rule("OG914", "saved-tensors", "GRAPH")


def check(old: Op, new: Op) -> Iterator[tuple[Path, str]]:
    was, is_ = _saved(old), _saved(new)
    if was != is_:
        yield (), f"saved for the backward were ({', '.join(was)}), and are ({', '.join(is_)})"


def _saved(op: Op) -> list[str]:
    read = (a for call in op.backward_calls for a in call.arguments)
    kept = [a.of for a in read if a.source in ("input", "output", "residual")]
    return list(dict.fromkeys([*(t.name for t in op.residuals), *kept]))
