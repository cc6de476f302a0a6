"""A kernel, what its spec says of it, and the call into XLA. Rendered by opgen."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import ManualAxisType, NamedSharding, PartitionSpec

from ...core import CoreOp, TensorSpec
from .arrays import NARROWED, narrowed, spec_of, vary, varying_axes
from .dtypes import DTYPES
from .library import NAMESPACE, register
from .placement import place


@dataclass(frozen=True, eq=False)
class Kernel:
    """The kernel of one op.

    `inputs` and `outputs` (residuals among them) hold a shape each, as the spec writes it.
    `attrs` maps each attribute to its type in XLA. `split` names the dims that may be split
    over mesh axes, `units` the multiples that some are split in, and `reduce` says for each
    output how it is reduced over which of them. `vmap` is `fold` where `jax.vmap` may add a
    dim to a group. `wide` gives, for each input that has one, its 64-bit integer type.
    `fallback` is the reference function, where it may run in place of a missing kernel.
    """

    core: CoreOp
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    attrs: Mapping[str, Callable[[Any], Any]] = field(default_factory=dict)
    platforms: tuple[str, ...] = ()
    split: tuple[str, ...] = ()
    units: Mapping[str, int] = field(default_factory=dict)
    reduce: tuple[Mapping[str, str], ...] = ()
    vmap: str = "fold"
    wide: tuple[str | None, ...] = ()
    fallback: Callable[..., Any] | None = None

    def __post_init__(self) -> None:
        register(self.core.name, self.platforms)

    def infer(self, inputs: Sequence[Any], attrs: Mapping[str, Any]) -> Any:
        """Check a call and give the `TensorSpec` of each result, in the spec's dtypes.

        Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
        """
        wide = self.wide or (None,) * len(inputs)
        return self.core.infer(*map(spec_of, inputs, wide), **attrs)


@dataclass(frozen=True)
class Call:
    """A kernel with attributes, run once for every index of some leading axes.

    `loops` has an entry for each such axis, outermost first: which operands have it. The
    others have size 1 there.
    """

    kernel: Kernel
    attrs: tuple[tuple[str, Any], ...]
    loops: tuple[tuple[bool, ...], ...] = ()

    def infer(
        self, shapes: Sequence[tuple[Any, ...]], dtypes: Sequence[Any]
    ) -> list[TensorSpec]:
        """The results for operands of these shapes (loop axes included) and dtypes."""
        count = len(self.loops)
        inner = [
            jax.ShapeDtypeStruct(shape[count:], dtype)
            for shape, dtype in zip(shapes, dtypes)
        ]
        lead = tuple(
            shapes[carried.index(True)][axis] for axis, carried in enumerate(self.loops)
        )
        results = self.kernel.infer(inner, dict(self.attrs))
        return [TensorSpec((*lead, *shape), dtype) for shape, dtype in results]


def run(call: Call, operands: Sequence[jax.Array]) -> tuple[jax.Array, ...]:
    """The results of `call` for the arrays of one device, or of one shard."""
    kernel = call.kernel
    reference = None if kernel.fallback is None else partial(_reference, call)
    platforms = register(kernel.core.name, kernel.platforms)
    foreign = partial(_foreign, call)
    return place(kernel.core.name, platforms, foreign, reference, operands)


def _foreign(call: Call, *operands: jax.Array) -> tuple[jax.Array, ...]:
    """Call the kernel through XLA's FFI."""
    kernel = call.kernel
    varying = frozenset().union(*map(varying_axes, operands))
    results = call.infer([x.shape for x in operands], [x.dtype for x in operands])
    attrs = {name: kernel.attrs[name](value) for name, value in call.attrs}
    wide = kernel.wide or (None,) * len(operands)
    with _sixty_four_bits((*wide, *(r.dtype for r in results))):
        types = [
            jax.ShapeDtypeStruct(r.shape, DTYPES[r.dtype], **_manual_type(varying))
            for r in results
        ]
        function = jax.ffi.ffi_call(f"{NAMESPACE}.{kernel.core.name}", types)
        arrays = function(
            *(vary(_cast(x, w), varying) for x, w in zip(operands, wide)),
            batch_dims=np.int64(len(call.loops)),
            **attrs,
        )
    return tuple(_cast(x, narrowed(r.dtype)) for x, r in zip(arrays, results))


def _reference(call: Call, *operands: jax.Array) -> tuple[jax.Array, ...]:
    """What the kernel would compute, by the spec's reference function."""
    specs = call.infer([x.shape for x in operands], [x.dtype for x in operands])
    function = partial(call.kernel.fallback, jnp, **dict(call.attrs))
    for carried in reversed(call.loops):
        function = jax.vmap(function, [0 if has else None for has in carried])
    lacking = [
        tuple(axis for axis, has in enumerate(call.loops) if not has[k])
        for k in range(len(operands))
    ]
    results = function(*map(jnp.squeeze, operands, lacking))
    results = results if isinstance(results, tuple) else (results,)
    return tuple(_cast(x, narrowed(spec.dtype)) for x, spec in zip(results, specs))


def _cast(x: jax.Array, dtype: str | None) -> jax.Array:
    return x if dtype is None or x.dtype == DTYPES[dtype] else x.astype(DTYPES[dtype])


def _sixty_four_bits(dtypes: Sequence[str | None]) -> contextlib.AbstractContextManager:
    """A context in which JAX has 64-bit integers, if some dtype is one."""
    if any(dtype in NARROWED for dtype in dtypes):
        return jax.enable_x64(True)
    return contextlib.nullcontext()


def _manual_type(varying: frozenset[str]) -> dict[str, Any]:
    """What the type of a result must say inside `shard_map`."""
    if not varying:
        return {}
    mesh = jax.sharding.get_abstract_mesh()
    return {
        "manual_axis_type": ManualAxisType(varying=varying),
        "sharding": NamedSharding(mesh, PartitionSpec()),
    }
