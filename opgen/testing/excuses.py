"""Reasons why a sharded op may move more bytes between devices than its reference.

Two of these reasons follow from the spec. The others are known limits of single ops. A
`conftest.py` adds them to `EXCUSES`.
"""

from __future__ import annotations

from collections.abc import Collection

from opgen.ir.op import Op
from opgen.source.frozen import dataclass
from opgen.testing.environment import Case, environment, pick

UNLIKE = "the inputs disagree about a dim or an axis"


@dataclass(frozen=True)
class Excuse:
    """A reason why an op may move more bytes than its reference if all of `dims` are split.

    If `uneven` is true, the reason applies only if the shards of these dims have different sizes.
    """

    reason: str
    dims: tuple[str, ...]
    uneven: bool = False


# Excuses by op name.
EXCUSES: dict[str, tuple[Excuse, ...]] = {}


def excuse(
    op: Op, case: Case, named: Collection[str], alike: bool, uneven: Collection[str] = ()
) -> str:
    """Return the reason why the op may move more bytes than its reference, or an empty string.

    `named` lists the split dims. `uneven` lists the dims whose shards have different sizes. `alike`
    is true if all arrays are split the same way.
    """
    if not alike:
        return UNLIKE
    split = {*pick(op.split, environment(op, case)), *dict(op.stages)}
    gathered = [name for name in named if name not in split]
    if gathered:
        return f"`{gathered[0]}` may not be split, or in multiples only"
    for each in EXCUSES.get(op.name, ()):
        if {*each.dims} <= {*(uneven if each.uneven else named)}:
            return each.reason
    return ""
