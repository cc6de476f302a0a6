"""The order or number of an op's inputs changed.

This rule checks that the old inputs come first, in the same order, and that all further inputs
are optional.

Why: saved programs and callers pass inputs by position.

How to fix: append an optional input, or accept the break.
"""

from __future__ import annotations

from collections.abc import Iterator

from opgen.diff.rule import Path, Rule
from opgen.ir.op import Op

RULE = Rule("OG912", "input-order", "GRAPH")


def check(old: Op, new: Op) -> Iterator[tuple[Path, str]]:
    was, is_ = [t.name for t in old.inputs], [t.name for t in new.inputs]
    first = is_[: len(was)]
    if len(first) < len(was) or first != was and sorted(first) == sorted(was):
        yield ("inputs",), f"inputs were ({', '.join(was)}), and are ({', '.join(is_)})"
        return
    for before, now in zip(old.inputs, new.inputs):
        if now.given and not before.given:
            yield ("inputs", now.name), f"input `{now.name}` was optional, and is required"
    for extra in new.inputs[len(was) :]:
        if extra.given:
            yield ("inputs", extra.name), f"input `{extra.name}` is new and required"
