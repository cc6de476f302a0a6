"""The layout of a descriptor changed.

This rule compares the fields, types, offsets and size of the packed descriptor.

Why: a kernel that was compiled against the old struct silently reads the wrong bytes.

How to fix: append fields. Otherwise accept the break, and rebuild the kernels.
"""

from __future__ import annotations

from collections.abc import Iterator

from opgen.diff.rule import Path, Rule
from opgen.ir.nodes import Field
from opgen.ir.op import Op

RULE = Rule("OG901", "descriptor-layout", "ABI")


def check(old: Op, new: Op) -> Iterator[tuple[Path, str]]:
    now = {field.name: field for field in new.descriptor.fields}
    for field in old.descriptor.fields:
        if field.name not in now:
            yield ("descriptor",), f"the descriptor of `{new.name}` lost its field `{field.name}`"
        elif _place(field) != _place(now[field.name]):
            was, is_ = _place(field), _place(now[field.name])
            yield ("descriptor",), f"field `{field.name}` was {was}, and is {is_}"
    if old.descriptor.size != new.descriptor.size:
        sizes = f"{old.descriptor.size} bytes, and has {new.descriptor.size}"
        yield ("descriptor",), f"the descriptor of `{new.name}` had {sizes}"


def _place(field: Field) -> str:
    count = f"[{field.count}]" if field.count else ""
    return f"{field.type}{count} at {field.offset}"
