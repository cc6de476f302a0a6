"""Placements in which an op may move more between devices than the framework's reference.

Two reasons follow from the spec. Others are limits of an op that someone decided to live with: a
`conftest.py` lists these in `EXCUSES`.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from opgen.ir.op import Op
from opgen.testing.environment import Case, environment, pick

UNLIKE = "the inputs disagree about a dim or an axis"


@dataclass(frozen=True)
class Excuse:
    """A reason for which an op may move more where all of `dims` are split.

    With `uneven` that is so only where their shards have unlike sizes.
    """

    reason: str
    dims: tuple[str, ...]
    uneven: bool = False


# By name of the op.
EXCUSES: dict[str, tuple[Excuse, ...]] = {}


def excuse(
    op: Op, case: Case, named: Collection[str], alike: bool, uneven: Collection[str] = ()
) -> str:
    """The reason for which a placement may move more; empty if there is none.

    `named` are the dims that are split, `uneven` those of them whose shards have unlike
    sizes; `alike` says whether all arrays agree how.
    """
    if not alike:
        return UNLIKE
    split = {*pick(op.split, environment(op, case), lambda names, _: names), *dict(op.stages)}
    gathered = [name for name in named if name not in split]
    if gathered:
        return f"`{gathered[0]}` may not be split, or in multiples only"
    for each in EXCUSES.get(op.name, ()):
        if {*each.dims} <= {*(uneven if each.uneven else named)}:
            return each.reason
    return ""
