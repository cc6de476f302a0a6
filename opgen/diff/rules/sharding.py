"""An op is split over devices differently.

This rule checks that a dim which could be split still can be, and that reductions are
unchanged.

Why: a program that splits the op over devices now gathers arrays, or sums different values.

How to fix: keep the splits and reductions, or accept the break.
"""

from __future__ import annotations

from collections.abc import Iterator

from opgen.diff.rule import Path, Rule
from opgen.ir.op import Op
from opgen.spec.cases import Cases
from opgen.targets.op_summary import reduction_text

RULE = Rule("OG934", "sharding", "NUMERIC")


def check(old: Op, new: Op) -> Iterator[tuple[Path, str]]:
    was, is_ = _split(old), _split(new)
    for name in sorted(was - is_):
        yield ("sharding",), f"`{name}` could be split over devices, and cannot"
    if old.follow is not None and new.follow is None:
        yield ("sharding",), f"`{old.follow}` could be placed in any way, and cannot"
    now = {t.name: dict(t.reduce) for t in new.tensors}
    for tensor in old.tensors:
        if tensor.name in now and dict(tensor.reduce) != now[tensor.name]:
            before, after = _text(dict(tensor.reduce)), _text(now[tensor.name])
            yield (
                f"{tensor.role}s",
                tensor.name,
            ), f"`{tensor.name}` was reduced by {before}, and is by {after}"


def _split(op: Op) -> set[str]:
    """Return the dims that the op's kernel or its stages allow to be split over devices."""
    return {*op.splittable, *(name for name, _ in op.stages)}


def _text(reduce: dict[str, Cases[str]]) -> str:
    return (
        ", ".join(f"{reduction_text(how)} over {dim}" for dim, how in reduce.items()) or "nothing"
    )
