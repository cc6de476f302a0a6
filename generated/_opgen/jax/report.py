"""Report the bytes that a split call moves between devices: as table rows, and as warnings."""

from __future__ import annotations

import functools
import logging
import math
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from jax.sharding import PartitionSpec

from .call import Call
from .plan import Plan
from .splits import Split, bytes_between, reduced_bytes, split_of

# Read at import. If True, tracing warns about every gather and exchange of an operand.
EXPLAIN = os.environ.get("OPGEN_EXPLAIN_SHARDING") == "1"

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Row:
    """A row of the report: an array of a call, its split before and after, the bytes that each
    device receives, and the reason.
    """

    array: str
    before: str
    after: str
    bytes: int
    why: str


def rows(
    call: Call,
    operands: Sequence[Any],
    specs: Sequence[PartitionSpec],
    mesh: Mapping[str, int],
    plan: Plan,
) -> Iterator[Row]:
    """Yield a report row for every operand, every result, and every reduction of a result."""
    way, names = plan.way, plan.way.names
    for n, (name, x) in enumerate(zip(names, operands)):
        rank = len(x.shape)
        before, after = split_of(specs[n], rank), split_of(plan.inputs[n], rank)
        size = math.prod(x.shape) * x.dtype.itemsize
        reasons = dict.fromkeys(f"{m.axis}: {m.reason}" for m in plan.moved if m.operand == n)
        yield Row(
            name,
            _text(before),
            _text(after),
            bytes_between(size, before, after, mesh),
            "; ".join(reasons),
        )
    made = range(len(operands), len(way.values))
    left = dict(zip(way.results, plan.placed))
    results = (
        (step.call.op, *each) for step in plan.steps for each in zip(step.splits, step.reductions)
    )
    for n, (op, split, kinds) in zip(made, results):
        by = f", made by {op}" if op != call.op else ""
        for kind, axes, _ in kinds:
            moved = reduced_bytes(way.bytes[n], split, axes, mesh)
            yield Row(
                names[n], _text(split), _text(split), moved, f"{kind} over {', '.join(axes)}{by}"
            )
        if n in left:
            after = split_of(left[n], len(split))
            moved = bytes_between(way.bytes[n], split, after, mesh)
            yield Row(names[n], _text(split), _text(after), moved, "")


def warn(
    call: Call,
    operands: Sequence[Any],
    specs: Sequence[PartitionSpec],
    mesh: Mapping[str, int],
    plan: Plan,
) -> None:
    """Warn about each operand that is moved: the op, the input, its split, and the reason."""
    for row in rows(call, operands, specs, mesh, plan):
        if row.why and row.bytes and row.before != row.after:
            _say(
                f"{call.op}: {row.array}: split as ({row.before}), needed as ({row.after}): "
                f"{row.bytes} bytes reach each device; {row.why}"
            )


@functools.cache
def _say(text: str) -> None:
    """Warn once for each message, because JAX may trace a program several times."""
    _log.warning("%s", text)


def _text(split: Split) -> str:
    return ",".join("+".join(axes) or "-" for axes in split)
