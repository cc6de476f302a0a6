"""Batching of a kernel by `jax.vmap`."""

from __future__ import annotations

import functools
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

import jax
import jax.numpy as jnp
from jax.custom_batching import custom_vmap
from jax.sharding import PartitionSpec

from .call import Call, call_of
from .kernel import Kernel
from .sharding import PLACED, sharded
from .splits import split_of


def call(
    kernel: Kernel, /, *inputs: Any, wanted: Collection[str] = (), **attrs: Any
) -> tuple[Any, ...]:
    """Run `kernel` without checks and without a gradient.

    Return the outputs, then the residuals, then the updated inputs. Each input and result is an
    array, a list of arrays, or None if absent. Optional results are computed only if they are in
    `wanted`.
    """
    it = replace(call_of(kernel, inputs, attrs, wanted), placed=PLACED.value)
    made = _batchable(it)(*jax.tree.leaves(inputs)) if it.outputs else []
    results: tuple[Any, ...] = jax.tree.unflatten(it.found, made)
    if not any(callable(kernel.facts.inputs[n].updated) for n in kernel.updates):
        return results
    # An input that the call does not update keeps its value.
    first = len(results) - len(kernel.updates)
    kept = (inputs[n] if y is None else y for n, y in zip(kernel.updates, results[first:]))
    return (*results[:first], *kept)


@functools.lru_cache(maxsize=4096)
def _batchable(call: Call) -> custom_vmap:
    """Return `call` as a function with a rule for `jax.vmap`.

    If possible, the batch axis becomes an additional dim of a group, and the kernel runs once.
    Otherwise the kernel runs once for each index along the batch axis.
    """

    @custom_vmap
    def function(*operands: Any) -> Any:
        return sharded(call, operands)

    @function.def_vmap
    def rule(size: Any, batched: Any, *operands: Any) -> Any:
        if not call.kernel.facts.vmap:
            raise NotImplementedError(f"{call.op}: cannot be batched")
        # The kernel may update an input differently for each index, so each index needs a copy.
        written = {operand for operand, _ in call.updates}
        operands = tuple(
            jnp.broadcast_to(x, (size, *x.shape)) if n in written and not has else x
            for n, (x, has) in enumerate(zip(operands, batched))
        )
        batched = [has or n in written for n, has in enumerate(batched)]
        grown = replace(call, placed=_placed(call, operands[batched.index(True)]))
        if not folds(call, batched):
            operands = tuple(x if has else x[None] for x, has in zip(operands, batched))
            grown = replace(grown, loops=(tuple(batched), *call.loops))
        results = _batchable(grown)(*operands)
        return results, (True,) * len(results)

    return function


def _placed(call: Call, batched: jax.Array) -> tuple[PartitionSpec, ...] | None:
    """Return the split of the results with a batch axis, which is split as in a batched operand."""
    axes, *_ = split_of(jax.typeof(batched).sharding.spec, batched.ndim)
    return call.placed and tuple(PartitionSpec(axes or None, *spec) for spec in call.placed)


def folds(call: Call, batched: Sequence[bool]) -> bool:
    """Return whether the batch axis, which comes first, can become an additional dim of a group.

    The spec must allow additional dims in the group (`fold`), and must allow splitting the group in
    this call. Every result and every batched operand must start with the group. All other operands
    must not contain the group.
    """
    lead = call.outputs[0][:1]
    name = lead[0].name if lead and lead[0].kind == "group" else None
    if call.loops or name not in call.kernel.facts.fold or name not in call.split:
        return False
    return all(shape[:1] == lead for shape in call.outputs) and all(
        shape[:1] == lead if has else lead[0] not in shape
        for shape, has in zip(call.inputs, batched)
    )
