"""A default changed, or a value is no longer allowed.

This rule compares the defaults, choices and bounds of attributes that both versions have.

Why: a call that does not pass the attribute now behaves differently, or is rejected.

How to fix: keep the default and the values, or accept the break.
"""

from __future__ import annotations

from collections.abc import Iterator

from opgen.diff.rule import Path, Rule
from opgen.ir.nodes import Attr
from opgen.ir.op import Op

RULE = Rule("OG922", "defaults", "SOURCE")


def check(old: Op, new: Op) -> Iterator[tuple[Path, str]]:
    was = {attr.name: attr for attr in old.attrs}
    for now in new.attrs:
        before = was.get(now.name)
        if before is None or before.type != now.type:
            continue
        if not before.required and not now.required and before.default != now.default:
            yield (
                "attrs",
                now.name,
            ), f"`{now.name}` was {_text(before)} by default, and is {_text(now)}"
        gone = [choice for choice in before.choices if now.choices and choice not in now.choices]
        if gone or (now.choices and not before.choices):
            what = ", ".join(map(repr, gone)) or "what is not among them"
            yield ("attrs", now.name), f"`{now.name}` does not take {what} any more"
        if _tighter(before.min, now.min, 1) or _tighter(before.max, now.max, -1):
            yield (
                "attrs",
                now.name,
            ), f"`{now.name}` was within {_range(before)}, and is within {_range(now)}"


def _tighter(before: float | None, now: float | None, sign: int) -> bool:
    return now is not None and (before is None or sign * now > sign * before)


def _range(attr: Attr) -> str:
    low = "" if attr.min is None else repr(attr.min)
    high = "" if attr.max is None else repr(attr.max)
    return f"{low}..{high}"


def _text(attr: Attr) -> str:
    from opgen.language.expr import Expr, text_of

    return text_of(attr.default) if isinstance(attr.default, Expr) else repr(attr.default)
