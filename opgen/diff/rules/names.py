"""An input was renamed.

This rule compares the input names, position by position.

Why: Python callers may pass an input by name.

How to fix: keep the name, or accept the break.
"""

from __future__ import annotations

from collections.abc import Iterator

from opgen.diff.rule import Path, Rule
from opgen.ir.op import Op

RULE = Rule("OG921", "python-names", "SOURCE")


def check(old: Op, new: Op) -> Iterator[tuple[Path, str]]:
    kept = {t.name for t in new.inputs}
    for before, now in zip(old.inputs, new.inputs):
        if before.name != now.name and before.name not in kept:
            yield ("inputs", now.name), f"input `{before.name}` is called `{now.name}` now"
