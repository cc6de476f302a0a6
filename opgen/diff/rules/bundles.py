"""Separate tensors became a bundle, or a bundle became separate tensors.

This rule compares the members of each input and output bundle, and their order.

Why: Python callers would have to pass and receive a tuple instead of several tensors.

How to fix: keep the bundle unchanged, or accept the break.
"""

from __future__ import annotations

from collections.abc import Iterator

from opgen.diff.rule import Path, Rule
from opgen.ir.nodes import Bundle
from opgen.ir.op import Op

RULE = Rule("OG923", "bundles", "SOURCE")


def check(old: Op, new: Op) -> Iterator[tuple[Path, str]]:
    was, is_ = _bundles(old), _bundles(new)
    for role, name in dict.fromkeys((*was, *is_)):
        before, now = was.get((role, name)), is_.get((role, name))
        if before is None and now is not None:
            yield (f"{role}s", name), f"`{name}` is a bundle now: {_text(now)}"
        elif before is not None and now is None:
            yield (f"{role}s",), f"`{name}` was a bundle: {_text(before)}"
        elif before and now and before.members != now.members:
            yield (f"{role}s", name), f"`{name}` was {_text(before)}, and is {_text(now)}"


def _bundles(op: Op) -> dict[tuple[str, str], Bundle]:
    return {(bundle.role, bundle.name): bundle for bundle in op.bundles}


def _text(bundle: Bundle) -> str:
    return f"({', '.join(member for member, _ in bundle.members)})"
