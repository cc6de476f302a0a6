"""A shape or a requirement changed.

This rule compares the shapes of all tensors, and looks for new requirements. Renamed dims are
not a difference.

Why: a call that worked is rejected, or returns a result with a different shape.

How to fix: keep the shapes and requirements, or accept the break.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from opgen.diff.rule import Path, Rule
from opgen.ir.nodes import Tensor
from opgen.ir.op import Op
from opgen.language.expr import text_of

RULE = Rule("OG932", "shapes", "NUMERIC")


def check(old: Op, new: Op) -> Iterator[tuple[Path, str]]:
    was, is_ = _shapes(old), _shapes(new)
    for (role, name), (anonymous, text) in was.items():
        if (role, name) in is_ and is_[role, name][0] != anonymous:
            yield (f"{role}s", name), f"`{name}` was `{text}`, and is `{is_[role, name][1]}`"
    known = {text_of(r.condition) for r in old.require}
    for requirement in new.require:
        text = text_of(requirement.condition)
        if text not in known:
            yield ("require",), f"`{text}` is required now"


def _shapes(op: Op) -> dict[tuple[str, str], tuple[str, str]]:
    """Return each tensor's shape twice: with numbers in place of dim names, and as written.

    The dims are numbered in the order in which the op first uses them.
    """
    numbers: dict[str, str] = {}
    fixed = {attr.name for attr in op.attrs}
    found: dict[tuple[str, str], tuple[str, str]] = {}
    for tensor in (*op.inputs, *op.written):
        text = _text(tensor)
        for name in (name for shape in tensor.shapes for name in shape.names):
            if name not in fixed:
                numbers.setdefault(name, f"#{len(numbers)}")
        anonymous = re.sub(r"[A-Za-z_]\w*", lambda m: numbers.get(m[0], m[0]), text)
        found[tensor.role, tensor.name] = anonymous, text
    return found


def _text(tensor: Tensor) -> str:
    return " | ".join(map(str, tensor.shapes))
