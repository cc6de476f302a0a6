"""What splitting a call moves between devices, and why: as rows, and as warnings.

Rendered by opgen.
"""

from __future__ import annotations

import functools
import inspect
import logging
import math
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import jax
from jax.sharding import PartitionSpec

from .arrays import narrowed
from .call import Call
from .dtypes import DTYPES
from .plan import Plan
from .splits import Split, bytes_between, reduced_bytes, split_of

# Read once: every gather and exchange of an operand is warned of while tracing.
EXPLAIN = os.environ.get("OPGEN_EXPLAIN_SHARDING") == "1"

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Row:
    """An array of a call: how it is split before and after it is moved, the bytes that reach
    each device, and why."""

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
    """A row for every operand, for every result, and for every reduction of a result."""
    for n, (name, x) in enumerate(zip(_operands(call), operands)):
        rank = len(x.shape)
        before, after = split_of(specs[n], rank), split_of(plan.inputs[n], rank)
        size = math.prod(x.shape) * x.dtype.itemsize
        reasons = dict.fromkeys(f"{m.axis}: {m.reason}" for m in plan.moved if m.operand == n)  # fmt: skip
        yield Row(name, _text(before), _text(after), bytes_between(size, before, after, mesh), "; ".join(reasons))  # fmt: skip
    shapes, dtypes = [x.shape for x in operands], [x.dtype for x in operands]
    for n, (name, spec) in enumerate(
        zip(_results(call, shapes, dtypes), call.infer(shapes, dtypes))
    ):
        rank = len(spec.shape)
        computed, left = split_of(plan.outputs[n], rank), split_of(plan.placed[n], rank)
        size = math.prod(spec.shape) * DTYPES[narrowed(spec.dtype)].itemsize
        for kind, axes, _ in plan.reductions[n]:
            moved = reduced_bytes(size, computed, axes, mesh)
            yield Row(name, _text(computed), _text(computed), moved, f"{kind} over {', '.join(axes)}")  # fmt: skip
        yield Row(name, _text(computed), _text(left), bytes_between(size, computed, left, mesh), "")  # fmt: skip


def warn(
    call: Call,
    operands: Sequence[Any],
    specs: Sequence[PartitionSpec],
    mesh: Mapping[str, int],
    plan: Plan,
) -> None:
    """Say which operands are moved: op, input, how it was split, why it cannot be."""
    for row in rows(call, operands, specs, mesh, plan):
        if row.why and row.bytes and row.before != row.after:
            _say(f"{call.op}: {row.array}: split as ({row.before}), needed as ({row.after}): {row.bytes} bytes reach each device; {row.why}")  # fmt: skip


@functools.cache
def _say(text: str) -> None:
    """Once for each message: a program is traced several times."""
    _log.warning("%s", text)


def _text(split: Split) -> str:
    return ",".join("+".join(axes) or "-" for axes in split)


def _operands(call: Call) -> list[str]:
    """The name of every operand; those of a list have an index."""
    parameters = inspect.signature(call.kernel.core.infer).parameters.values()
    names = [p.name for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD]
    return _each(names, call.given)


def _results(call: Call, shapes: Sequence[Any], dtypes: Sequence[Any]) -> list[str]:
    inputs = call.slices(shapes, dtypes)
    made = call.kernel.infer(inputs, dict(call.attrs), call.wanted)
    parameters = [*inspect.signature(call.kernel.core.infer).parameters]
    updated = [parameters[position] for position in call.kernel.updates]
    return _each([*made._fields, *updated], call.found)


def _each(names: Sequence[str], tree: jax.tree_util.PyTreeDef) -> list[str]:
    found = []
    for name, child in zip(names, tree.children()):
        arrays = range(child.num_leaves)
        is_list = child.node_data() is not None and child.node_data()[0] is list
        found += [f"{name}[{n}]" if is_list else name for n in arrays]
    return found
