"""NKI kernels in JAX. Rendered by opgen.

With the SDK's package `nki`, an op calls the `nki.jit` function, which creates the custom call.
Without `nki`, the op becomes an HLO custom call with the same target, only for inspection: see AWS
Neuron, "NKI Kernel as a Framework Custom Operator", JAX. The operands are the inputs, and the
results are the outputs.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from typing import Any

import jax
from jax.extend.core import Primitive
from jax.interpreters import batching, mlir

from ..core import CoreOp
from .._opgen.jax.arrays import spec_of
from .._opgen.jax.dtypes import DTYPES
from ._hlo import write_hlo
from .legacy import STATUS_RETURNING, TARGET, dump_config
from .nki import KERNELS, NARROW, constants, given_back

NARROW_DTYPES = {jax.numpy.dtype(DTYPES[wide]): DTYPES[name] for wide, name in NARROW.items()}

nki_call = Primitive("nki_call")
nki_call.multiple_results = True


def lowering(op: CoreOp) -> Callable[..., tuple[jax.Array, ...]] | None:
    """Return the function that calls the NKI kernel of `op`, or None if the op has none.

    It takes the operands, with None for an absent one, and attrs by keyword.
    """
    return functools.partial(call, op) if op.name in KERNELS else None


def call(op: CoreOp, *operands: jax.Array | None, **attrs: Any) -> tuple[jax.Array, ...]:
    """Call the op's NKI kernel. Return its outputs, then its residuals, without absent results.

    64-bit integers become 32 bits wide, both in operands and in results.
    """
    arrays, given = jax.tree.flatten(operands)
    arrays = [x.astype(NARROW_DTYPES.get(x.dtype, x.dtype)) for x in arrays]
    with jax.named_scope(op.name):
        return tuple(nki_call.bind(*arrays, op=op, attrs=tuple(attrs.items()), given=given))


def _abstract(*arrays: Any, op: CoreOp, attrs: Any, given: Any) -> list[Any]:
    results = op.infer(*map(spec_of, jax.tree.unflatten(given, arrays)), **dict(attrs))
    return [
        jax.core.ShapedArray(r.shape, DTYPES[NARROW.get(r.dtype, r.dtype)])
        for r in results
        if r is not None
    ]


def _lower(context: Any, *operands: Any, op: CoreOp, attrs: Any, given: Any) -> Any:
    """Return a function that calls the kernel for operands of these shapes and dtypes."""
    types = [jax.ShapeDtypeStruct(a.shape, a.dtype) for a in context.avals_out]
    if find_spec("nki") is not None:
        function = functools.partial(_launch, op, attrs, given, types)
    else:
        specs = jax.tree.unflatten(given, [spec_of(x) for x in context.avals_in])
        config, _, _ = dump_config(op, *specs, **dict(attrs))
        function = jax.ffi.ffi_call(
            TARGET, types, custom_call_api_version=STATUS_RETURNING, legacy_backend_config=config
        )
    write_hlo(op.name, function, context.avals_in)
    rule = mlir.lower_fun(function, multiple_results=True)
    return rule(context, *operands)


def _launch(
    op: CoreOp, attrs: Any, given: Any, types: Sequence[Any], *arrays: jax.Array
) -> list[jax.Array]:
    """Return the results of the `nki.jit` function. It rejects scalars, so they become 1x1."""
    inputs = jax.tree.unflatten(given, [x if x.ndim else x.reshape(1, 1) for x in arrays])
    results = given_back(KERNELS[op.name].launched()(*inputs, *constants(dict(attrs))))
    return [x.reshape(t.shape).astype(t.dtype) for x, t in zip(results, types, strict=True)]


def _batch(operands: Sequence[Any], dims: Sequence[Any], **params: Any) -> Any:
    """Call the kernel once for each batch index, because a kernel cannot take a batch axis."""
    mapped = [jax.numpy.moveaxis(x, dim, 0) for x, dim in zip(operands, dims) if dim is not None]

    def one(slices: Any) -> Any:
        rest = iter(slices)
        each = (x if dim is None else next(rest) for x, dim in zip(operands, dims))
        return nki_call.bind(*each, **params)

    results = jax.lax.map(one, mapped)
    return results, [0] * len(results)


nki_call.def_abstract_eval(_abstract)
mlir.register_lowering(nki_call, _lower)
batching.primitive_batchers[nki_call] = _batch
