"""The order or number of an op's results changed.

This rule compares the outputs and the updated inputs, in order.

Why: callers and saved programs read results by position.

How to fix: keep the order and number, or accept the break.
"""

from __future__ import annotations

from collections.abc import Iterator

from opgen.diff.rule import Path, Rule
from opgen.ir.op import Op

RULE = Rule("OG915", "result-order", "GRAPH")


def check(old: Op, new: Op) -> Iterator[tuple[Path, str]]:
    was, is_ = [t.name for t in old.results], [t.name for t in new.results]
    if was != is_:
        yield ("outputs",), f"results were ({', '.join(was)}), and are ({', '.join(is_)})"
