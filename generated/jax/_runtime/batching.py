"""How a kernel is batched by `jax.vmap`. Rendered by opgen."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import jax
from jax.custom_batching import custom_vmap

from .kernel import Call, Kernel
from .sharding import sharded


def call(kernel: Kernel, *inputs: jax.Array, **attrs: Any) -> tuple[jax.Array, ...]:
    """The results of `kernel`: outputs, then residuals. No check, no gradient."""
    return _batchable(Call(kernel, tuple(attrs.items())))(*inputs)


@functools.lru_cache(maxsize=4096)
def _batchable(call: Call) -> custom_vmap:
    """`call` with its rule for `jax.vmap`.

    The new axis becomes one more dim of a group where it can; else the kernel is run once
    for every index into it.
    """

    @custom_vmap
    def function(*operands):
        return sharded(call, operands)

    @function.def_vmap
    def rule(size, batched, *operands):
        if call.kernel.vmap == "none":
            raise NotImplementedError(f"{call.kernel.core.name}: cannot be batched")
        if not call.loops and folds(call.kernel, batched):
            results = function(*operands)
        else:
            loops = (tuple(batched), *call.loops)
            operands = [x if has else x[None] for x, has in zip(operands, batched)]
            results = _batchable(Call(call.kernel, call.attrs, loops))(*operands)
        return results, (True,) * len(results)

    return function


def folds(kernel: Kernel, batched: Sequence[bool]) -> bool:
    """Whether a new leading axis of the `batched` inputs can be one more dim of a group.

    The group must be one that may be split, so that its dims are independent. Everything
    written and every batched input must lead with it; the other inputs must lack it.
    """
    lead = kernel.outputs[0].partition(" ")[0]
    if kernel.vmap != "fold" or lead[:1] != "*" or lead[1:] not in kernel.split:
        return False
    return all(shape.split()[0:1] == [lead] for shape in kernel.outputs) and all(
        shape.split()[0:1] == [lead] if has else lead not in shape.split()
        for shape, has in zip(kernel.inputs, batched)
    )
