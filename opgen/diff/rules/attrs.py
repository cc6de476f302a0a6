"""An attribute was removed, changed its type, or became required.

This rule checks that every call which names its attributes remains valid.

Why: saved programs store attributes by name and type.

How to fix: give a new attribute a default. Keep an old attribute, and deprecate it in its `doc`.
"""

from __future__ import annotations

from collections.abc import Iterator

from opgen.diff.rule import Path, Rule
from opgen.ir.op import Op

RULE = Rule("OG913", "required-attrs", "GRAPH")


def check(old: Op, new: Op) -> Iterator[tuple[Path, str]]:
    was = {attr.name: attr for attr in old.attrs}
    now = {attr.name: attr for attr in new.attrs}
    for name, attr in was.items():
        if name not in now:
            yield ("attrs",), f"attr `{name}` is gone"
        elif now[name].type != attr.type:
            yield ("attrs", name), f"attr `{name}` was {attr.type}, and is {now[name].type}"
    for name, attr in now.items():
        if attr.required and (name not in was or not was[name].required):
            how = "was optional" if name in was else "is new"
            yield ("attrs", name), f"attr `{name}` {how}, and is required"
