"""Execution of a call on arrays: by the kernel, usually through XLA's FFI, or by the reference
function.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ..core.attrs import ffi_name
from ..core.project import NAMESPACE
from ..core.runtime import TensorSpec
from .arrays import (
    NARROWED,
    manual_type,
    narrowed,
    numpy_promotion,
    vary,
    vary_only,
    varying_axes,
)
from .call import Call, is_spec, results_of
from .dtypes import DTYPES
from .factors import depends
from .library import register
from .placement import place
from .platforms import lowering_of
from .references import xp


def run(call: Call, operands: Sequence[jax.Array]) -> tuple[jax.Array, ...]:
    """Return the results of `call` for the arrays of a single device, or for one shard."""
    reference = None if call.kernel.fallback is None else partial(_reference, call)
    foreign = partial(_foreign, call)
    platforms = call.kernel.facts.platforms
    kernels = dict.fromkeys(register(call.op, platforms), foreign)
    for platform in platforms:
        lowering = lowering_of(call.kernel.core, platform)
        if lowering is not None:
            kernels[platform] = partial(_elsewhere, call, lowering)
    unmet = _unmet(call, kernels, operands)
    kernels = {p: kernel for p, kernel in kernels.items() if p not in unmet}
    return place(call.op, kernels, foreign, reference, operands, unmet)


def _unmet(call: Call, platforms: Iterable[str], operands: Sequence[jax.Array]) -> dict[str, str]:
    """Return the platforms whose kernels reject this call, each with the requirements that the call
    does not meet.
    """
    shapes, dtypes = [x.shape for x in operands], [x.dtype for x in operands]
    found = {p: call.unmet(p, shapes, dtypes) for p in platforms}
    return {p: " and ".join(texts) for p, texts in found.items() if texts}


def _foreign(call: Call, *operands: jax.Array) -> tuple[jax.Array, ...]:
    """Call the kernel through XLA's FFI."""
    varying = frozenset().union(*map(varying_axes, operands))
    each = _varying(call, operands)
    results = call.infer([x.shape for x in operands], [x.dtype for x in operands])
    wide = _wide(call)
    with _sixty_four_bits((*wide, *(r.dtype for r in results))):
        types = [
            jax.ShapeDtypeStruct(r.shape, DTYPES[r.dtype], **manual_type(axes))
            for r, axes in zip(results, each, strict=True)
        ]
        given = call.input_orders([x.ndim for x in operands])
        given = [_order(x, order) for x, order in zip(operands, given)]
        found = [given[k] for k, _ in sorted(call.updates, key=lambda pair: pair[1])]
        made = results[: len(results) - len(found)]
        found = [*(_order(r, r.order) for r in made), *found]
        function = jax.ffi.ffi_call(
            f"{NAMESPACE}.{call.op}",
            types,
            input_layouts=given,
            output_layouts=found,
            input_output_aliases=dict(call.updates),
        )
        arrays = function(
            *(vary(_cast(x, w), varying) for x, w in zip(operands, wide)),
            **_attributes(call, operands),
        )
    return tuple(_cast(x, narrowed(r.dtype)) for x, r in zip(arrays, results))


def _order(x: Any, order: tuple[int, ...] | None) -> tuple[int, ...] | None:
    """Return the memory order for an array in a custom call.

    An empty array is always row-major, because XLA crashes on other orders.
    """
    empty = any(isinstance(size, int) and size == 0 for size in x.shape)
    return None if empty else order


def _attributes(call: Call, operands: Sequence[jax.Array]) -> dict[str, Any]:
    """Return the typed attributes of the custom call, without attributes that are None.

    If calls can differ in present arguments or list lengths, the attribute `given` has the number
    of arrays in every input, then in every result.
    """
    loops, made_with = np.int64(len(call.loops)), np.int64(call.kernel.core.op_hash)
    values: dict[str, Any] = {"batch_dims": loops, "op_hash": made_with}
    kinds = call.kernel.attrs
    values |= {ffi_name(k): kinds[k](v) for k, v in call.attrs if v is not None}
    if call.kernel.facts.varies:
        counts = [*_counts(call.given), *_counts(call.found)]
        values["given"] = np.asarray(counts, np.int64)
    return values


def _counts(tree: jax.tree_util.PyTreeDef) -> list[int]:
    """Return the number of arrays in each argument or result of a tree."""
    return [child.num_leaves for child in tree.children()]


def _wide(call: Call) -> list[str | None]:
    """Return the 64-bit integer type of each operand that requires one."""
    counts = _counts(call.given)
    return [w for w, count in zip(call.kernel.wide, counts) for _ in range(count)]


def _reference(call: Call, *operands: jax.Array) -> tuple[jax.Array, ...]:
    """Return the results of the spec's reference function, which runs in place of the kernel.

    The reference is jitted, because it may create arrays from constants. A program that JAX
    partitions must not contain such arrays.
    """

    def function(*operands: Any) -> Any:
        inputs = jax.tree.unflatten(call.given, operands)
        assert call.kernel.fallback is not None
        with numpy_promotion():
            results = call.kernel.fallback(xp, *inputs, **dict(call.attrs))
        specs = results_of(call.kernel, inputs, dict(call.attrs), call.wanted)
        pairs = zip(_with_residuals(call, specs, results), specs, strict=True)
        return tuple(jax.tree.leaves([y for y, spec in pairs if spec is not None]))

    return _looped(call, jax.jit(function), operands)


def _elsewhere(
    call: Call, lowering: Callable[..., Any], *operands: jax.Array
) -> tuple[jax.Array, ...]:
    """Call a kernel that is in a separate package for its platform, not in the kernel library."""

    def function(*operands: Any) -> Any:
        inputs = jax.tree.unflatten(call.given, operands)
        options = {"wanted": call.wanted} if call.kernel.on_request else {}
        return tuple(jax.tree.leaves(lowering(*inputs, **dict(call.attrs), **options)))

    return _looped(call, function, operands)


def _looped(
    call: Call, function: Callable[..., Any], operands: Sequence[jax.Array]
) -> tuple[jax.Array, ...]:
    """Run `function` for each index along the loop axes. Return results in the spec's dtypes."""
    specs = call.infer([x.shape for x in operands], [x.dtype for x in operands])
    for carried in reversed(call.loops):
        function = jax.vmap(function, [0 if has else None for has in carried])
    lacking = [
        tuple(axis for axis, has in enumerate(call.loops) if not has[k])
        for k in range(len(operands))
    ]
    results = function(*map(jnp.squeeze, operands, lacking))
    return tuple(
        vary_only(_cast(x, narrowed(spec.dtype)), axes)
        for x, spec, axes in zip(results, specs, _varying(call, operands), strict=True)
    )


def _varying(call: Call, operands: Sequence[jax.Array]) -> list[frozenset[str]]:
    """Return the manual axes over which each result varies. They are the axes of its operands."""
    axes = [varying_axes(x) for x in operands]
    return [frozenset().union(*(a for a, d in zip(axes, row) if d)) for row in depends(call)]


def _with_residuals(call: Call, specs: Sequence[Any], results: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the results of a reference, with placeholders for residuals.

    If the reference runs, the gradient is computed by autodiff of the reference, which does not
    read the residuals.
    """
    kernel = call.kernel
    if len(results) == len(specs):
        return results
    count = len(kernel.facts.residuals)
    first = len(specs) - len(kernel.updates) - count

    def unusable(spec: TensorSpec) -> jax.Array:
        dtype = DTYPES[narrowed(spec.dtype)]
        value = jnp.nan if jnp.issubdtype(dtype, jnp.inexact) else 0
        return jnp.full(spec.shape, value, dtype)

    residuals = specs[first : first + count]
    made = jax.tree.map(unusable, residuals, is_leaf=is_spec)
    return (*results[:first], *made, *results[first:])


def _cast(x: jax.Array, dtype: str | None) -> jax.Array:
    return x if dtype is None or x.dtype == DTYPES[dtype] else x.astype(DTYPES[dtype])


def _sixty_four_bits(dtypes: Sequence[str | None]) -> contextlib.AbstractContextManager[Any]:
    """Return a context in which JAX has 64-bit integers, if some dtype needs them."""
    if any(dtype in NARROWED for dtype in dtypes):
        found: contextlib.AbstractContextManager[Any] = jax.enable_x64(True)
        return found
    return contextlib.nullcontext()
