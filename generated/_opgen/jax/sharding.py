"""Execution of a call on arrays that may be spread over a mesh.

`plan` decides how to split the call. This module applies the plan to explicit mesh axes, which are
part of the arrays' types, and to auto axes, which a partitioner assigns. A mesh may have both.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
from collections.abc import Callable, Sequence
from dataclasses import fields
from math import prod
from typing import Any

import jax
import jax.numpy as jnp
from jax.experimental.custom_partitioning import custom_partitioning
from jax.experimental.xla_metadata import set_xla_metadata
from jax.sharding import AbstractMesh, AxisType, NamedSharding

from ..core.project import NAMESPACE
from . import report
from .arrays import explicit_mesh
from .call import Call
from .execution import run
from .factors import Factor, Factors, factors, may_split, sizes_of
from .gradients import aval_of
from .placement import partitioned
from .plan import Plan, plan
from .reductions import combined, joined
from .splits import specs_of
from .steps import Reductions, Step

# The value of `Call.placed` in calls of ops. It is part of the cache key of `jax.jit`.
PLACED = jax.make_user_context(None)


def results_like(*arrays: Any) -> contextlib.AbstractContextManager[Any]:
    """Return a context in which the results of calls are split like these arrays.

    The context has no effect unless the type of each array has a sharding over explicit axes.
    """
    avals = [*map(aval_of, arrays)]
    if not all(aval.sharding.mesh.explicit_axes for aval in avals):
        return contextlib.nullcontext()
    specs = tuple(aval.sharding.spec for aval in avals)
    context: contextlib.AbstractContextManager[Any] = PLACED(specs)
    return context


def sharded(call: Call, operands: Sequence[jax.Array]) -> tuple[jax.Array, ...]:
    """Compute `call` on arrays that may be split. Each device computes with its own shards.

    Inside `shard_map`, operands are already shards over the manual axes. Then this function only
    splits the call over the remaining axes, explicit or auto.
    """
    mesh = explicit_mesh(operands)
    return _assigned(call, operands) if mesh is None else _typed(call, operands, mesh)


def _typed(call: Call, operands: Sequence[jax.Array], mesh: AbstractMesh) -> tuple[jax.Array, ...]:
    """Split `call` over explicit axes, which are part of the operands' types."""
    specs = [jax.typeof(x).sharding.spec for x in operands]
    sizes = _sizes(mesh, AxisType.Explicit)
    split = _decided(call, operands, specs, sizes, call.placed, hidden=bool(mesh.auto_axes))
    operands = _resharded(operands, split.inputs, mesh)
    arrays = *split.inputs, *split.outputs
    used = {axis for spec in arrays for entry in spec if entry for axis in entry}
    inner = _assigned if mesh.auto_axes else _computed
    if not used:
        return _resharded(inner(call, operands), split.placed, mesh)
    # If the mesh has further axes, only the axes in use can be made manual.
    mixed = len(mesh.explicit_axes) < len(mesh.axis_names)
    options: dict[str, Any] = {"axis_names": used} if mixed else {}
    function = jax.shard_map(
        _on_shards(split, inner),
        mesh=mesh,
        in_specs=split.inputs,
        out_specs=split.outputs,
        **options,
    )
    return _resharded(function(*operands), split.placed, mesh)


def _assigned(
    call: Call, operands: Sequence[jax.Array], outer: Reductions = ()
) -> tuple[jax.Array, ...]:
    """Split `call` over auto axes, which a partitioner assigns, if the mesh has any.

    The operands may already be shards over other axes, and `outer` has the reductions over these
    axes. A result that must be reduced over auto axes and over these axes is reduced only once,
    over all of them.
    """
    mesh = jax.sharding.get_abstract_mesh()
    if mesh.manual_axes and not mesh.auto_axes:
        return _computed(call, operands, outer)
    first, *others = operands
    with set_xla_metadata(opgen_call=_identity(call, mesh, outer)):
        return tuple(_automatic(call, mesh, outer)(partitioned(call.op, first), *others))


@functools.lru_cache(maxsize=4096)
def _identity(call: Call, outer: AbstractMesh, reductions: Reductions) -> str:
    """Return a text for the call that is the same in each process.

    JAX identifies a `custom_partitioning` by an address alone. If the compilation cache ignores
    this address (`jax_remove_custom_partitioning_ptr_from_cache_key`), only the text distinguishes
    calls.
    """
    held = [getattr(call, each.name) for each in fields(call) if each.name != "kernel"]
    text = "\n".join(map(repr, (call.kernel.core.op_hash, *held, outer, reductions)))
    return f"{NAMESPACE}.{call.op} {hashlib.sha256(text.encode()).hexdigest()}"


def _computed(
    call: Call, operands: Sequence[jax.Array], reductions: Reductions = ()
) -> tuple[jax.Array, ...]:
    """Compute `call` on shards and reduce its results."""
    return combined(run(call, operands), reductions)


def _decided(
    call: Call, operands: Any, specs: Any, mesh: Any, wanted: Any = None, hidden: bool = False
) -> Plan:
    """Return the plan for a call. If warnings are enabled, warn about the bytes that the plan
    moves.
    """
    decided = plan(call, operands, specs, mesh, wanted, hidden)
    if report.EXPLAIN:
        report.warn(call, operands, specs, mesh, decided)
    return decided


def _sizes(mesh: AbstractMesh, kind: AxisType) -> dict[str, int]:
    """Return the axes of a mesh that have type `kind`, with their sizes."""
    kinds = zip(mesh.shape.items(), mesh.axis_types)
    return {axis: size for (axis, size), each in kinds if each == kind}


def _resharded(arrays: Any, specs: Any, mesh: AbstractMesh) -> tuple[jax.Array, ...]:
    """Return `arrays`, each resharded to its spec in `specs`."""
    return tuple(
        jax.sharding.reshard(x, NamedSharding(mesh, spec))
        for x, spec in zip(arrays, specs, strict=True)
    )


@functools.lru_cache(maxsize=4096)
def _automatic(call: Call, outer: AbstractMesh, reductions: Reductions) -> custom_partitioning:
    """Return `call` for a mesh whose axes Shardy or GSPMD assigns.

    `outer` is the mesh of the trace, and `reductions` has the reductions over its manual axes. If
    some axes are manual, the partitioner passes an empty mesh, and its shardings cover only the
    other axes. It also passes an empty mesh if some arrays are on a mesh and others on one device.
    """
    left = _sizes(outer, AxisType.Auto)

    def axes_of(mesh: Any) -> Any:
        return left if mesh.empty else dict(mesh.shape)

    def specs_in(mesh: Any, arrays: Any) -> Any:
        shapes = [tuple(x.shape) for x in arrays]
        return specs_of([x.sharding for x in arrays], shapes, axes_of(mesh))

    def plan_for(mesh: Any, operands: Any, results: Any = None) -> Plan:
        wanted = None if results is None else specs_in(mesh, results)
        specs = specs_in(mesh, operands)
        return _decided(call, operands, specs, axes_of(mesh), wanted)

    def shardings(mesh: Any, specs: Any) -> Any:
        if mesh.empty:
            kinds = (AxisType.Auto,) * len(left)
            mesh = AbstractMesh((*left.values(),), (*left,), axis_types=kinds)
        return tuple(NamedSharding(mesh, spec) for spec in specs)

    def partition(mesh: Any, operands: Any, results: Any) -> Any:
        split = plan_for(mesh, operands, results)
        outputs, inputs = shardings(mesh, split.outputs), shardings(mesh, split.inputs)
        whole = outer if mesh.empty else mesh
        shards = _on_shards(split, _computed, reductions)
        return whole, _as_wide_as((*operands, *results), shards), outputs, inputs

    def infer_sharding(mesh: Any, operands: Any, results: Any) -> Any:
        return shardings(mesh, plan_for(mesh, operands).placed)

    def rule(mesh: Any, operands: Any, results: Any) -> Any:
        rows = factors(call, [len(x.shape) for x in operands])
        shapes = [tuple(x.shape) for x in (*operands, *results)]
        return shardy_rule(call, rows, shapes, prod(axes_of(mesh).values()))

    def whole(*operands: Any) -> Any:
        return _computed(call, operands, reductions)

    function = custom_partitioning(whole)
    function.def_partition(
        partition, infer_sharding_from_operands=infer_sharding, sharding_rule=rule
    )
    return function


def _as_wide_as(arrays: Sequence[Any], function: Callable[..., Any]) -> Callable[..., Any]:
    """Return `function`, but with 64-bit types enabled if `arrays` have them.

    A partitioner calls the function in a thread without the caller's `jax.enable_x64`.
    """
    if not any(x.dtype.itemsize == 8 for x in arrays):
        return function

    def wide(*operands: jax.Array) -> Any:
        with jax.enable_x64(True):
            return function(*operands)

    return wide


def _on_shards(
    split: Plan, compute: Callable[..., tuple[jax.Array, ...]], outer: Reductions = ()
) -> Callable[..., tuple[jax.Array, ...]]:
    """Return a function that runs the steps of a plan on shards and reduces the results.

    `outer` has the reductions of the results over other axes.
    """
    at_once = joined(split, outer)

    def local(*shards: Any) -> Any:
        values = list(shards)
        for step, reductions in zip(split.steps, at_once or split.reductions):
            values += compute(step.call, _operands(step, values), reductions)
        results = tuple(values[place] for place in split.way.results)
        return results if at_once else combined(results, outer)

    return local


def _operands(step: Step, values: Sequence[jax.Array]) -> list[jax.Array]:
    """Return the operands of a step, as this shard needs them.

    An operand that the step splits further is cut to this shard's part. An operand that holds the
    start index of a dim is shifted to the start of the shard.
    """
    stage = step.stage
    operands = [
        (jnp.zeros(stage.zero.shape, stage.zero.dtype) if place is None else values[place])
        for place in stage.operands
    ]
    for operand, dim, axes in step.cuts:
        x, count = operands[operand], jax.lax.axis_size(axes)
        size = x.shape[dim] // count
        begin = jax.lax.axis_index(axes) * size
        operands[operand] = jax.lax.dynamic_slice_in_dim(x, begin, size, dim)
    for operand, axes, size in step.begins:
        shift = jax.lax.axis_index(axes) * size
        operands[operand] += shift.astype(operands[operand].dtype)
    return operands


def shardy_rule(
    call: Call, rows: Factors, shapes: Sequence[tuple[int, ...]], devices: int
) -> tuple[str, dict[str, int]]:
    """Return the einsum-like text of a sharding rule, and the sizes of some of its labels.

    Dims with the same factor and size share a label. A dim `hk*g` has the label of `hk` and another
    one, if the size of `hk` is a multiple of the number of devices. Otherwise, it has only its own
    label, because Shardy could divide a mesh axis between `hk` and `g`. JAX cannot express that, so
    only `plan` relates the dims.

    The label of a dim that may not be split occurs only in one operand and in the results. After
    the call, the results are split along this dim again. If the label occurred in other operands,
    such as weights, Shardy would split them along this dim.
    """
    sizes = sizes_of((*rows.inputs, *rows.outputs), shapes)
    labels: dict[tuple[Factor | None, int], str] = {}
    inner: dict[str, int] = {}
    count = len(rows.inputs)
    texts = []
    for place, (row, shape) in enumerate(zip((*rows.inputs, *rows.outputs), shapes)):
        words = []
        for dim, (factor, size) in enumerate(zip(row, shape)):
            word = own = f"w{place}_{dim}"
            splits = factor is not None and may_split(call, factor)
            if splits or factor and (place >= count or (factor, size) not in labels):
                word = labels.setdefault((factor, size), own)
            least = min(sizes[factor]) if factor and splits else size
            if least < size and not least % devices and not size % least:
                inner[word] = size // least
                word = f"({labels.setdefault((factor, least), f'{own}_0')} {word})"
            words.append(word)
        texts.append(" ".join(words))
    return f"{', '.join(texts[:count])} -> {', '.join(texts[count:])}", inner
