"""What a spec excuses an op from: moving no more than the framework moves for its reference."""

from __future__ import annotations

from opgen.ir.nodes import Op


def excuse(op: Op, named: tuple[str, ...], alike: bool, target: str) -> str:
    """The reason for which a placement may move more; empty if there is none.

    `named` are the dims that are split, `alike` says whether all arrays agree how.
    """
    for each in op.excuses:
        if each.target in (None, target) and not (each.unlike and alike):
            if each.dims is None or {*each.dims} & {*named}:
                return each.reason
    return ""
