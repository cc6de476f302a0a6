"""Excuses of a spec: placements in which an op may move more than the framework's reference."""

from __future__ import annotations

from collections.abc import Collection

from opgen.ir.op import Op


def excuse(
    op: Op, named: Collection[str], alike: bool, target: str, uneven: Collection[str] = ()
) -> str:
    """The reason for which a placement may move more; empty if there is none.

    `named` are the dims that are split, `uneven` those of them whose shards have unlike
    sizes; `alike` says whether all arrays agree how.
    """
    for each in op.excuses:
        if each.target not in (None, target) or each.unlike and alike:
            continue
        if each.also is not None and not {*each.also} & {*named}:
            continue
        split = {*(uneven if each.uneven else named)}
        dims = split if each.dims is None else split & {*each.dims}
        if dims or not each.uneven and each.dims is None:
            return each.reason
    return ""
