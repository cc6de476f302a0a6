"""NKI kernels in JAX: each call is an HLO custom call. Rendered by opgen.

What Neuron's compiler reads of it: AWS Neuron, "NKI Kernel as a Framework Custom Operator",
JAX. Outputs are results, operands only the inputs.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import jax
from jax.extend.core import Primitive
from jax.interpreters import batching, mlir

from ..core import CoreOp, TensorSpec
from ._hlo import write_hlo
from .framework import FrameworkKernel
from .nki import KERNELS, dump_config

TARGET = "AwsNeuronCustomNativeKernel"
STATUS_RETURNING = 2  # XLA's CustomCallApiVersion
DTYPES = {
    "bf16": jax.numpy.dtype("bfloat16"),
    "f16": jax.numpy.dtype("float16"),
    "f32": jax.numpy.dtype("float32"),
    "f64": jax.numpy.dtype("float64"),
    "i8": jax.numpy.dtype("int8"),
    "i16": jax.numpy.dtype("int16"),
    "i32": jax.numpy.dtype("int32"),
    "i64": jax.numpy.dtype("int64"),
    "u8": jax.numpy.dtype("uint8"),
    "u16": jax.numpy.dtype("uint16"),
    "u32": jax.numpy.dtype("uint32"),
    "u64": jax.numpy.dtype("uint64"),
    "bool": jax.numpy.dtype("bool"),
    "f8e4m3": jax.numpy.dtype("float8_e4m3fn"),
    "f8e5m2": jax.numpy.dtype("float8_e5m2"),
    "f8e4m3fnuz": jax.numpy.dtype("float8_e4m3fnuz"),
    "f8e5m2fnuz": jax.numpy.dtype("float8_e5m2fnuz"),
    "f8e8m0": jax.numpy.dtype("float8_e8m0fnu"),
    "f4e2m1": jax.numpy.dtype("float4_e2m1fn"),
    "c64": jax.numpy.dtype("complex64"),
    "c128": jax.numpy.dtype("complex128"),
    "i4": jax.numpy.dtype("int4"),
    "u4": jax.numpy.dtype("uint4"),
}
NAMES = {dtype: name for name, dtype in DTYPES.items()}

nki_call = Primitive("nki_call")
nki_call.multiple_results = True


class JaxFrameworkKernel(FrameworkKernel):
    """A kernel called with JAX arrays."""

    api_version = "API_VERSION_STATUS_RETURNING"

    def is_framework_tensor(self, t: Any) -> bool:
        return isinstance(t, (jax.Array, jax.ShapeDtypeStruct))

    def map_framework_tensor(self, t: Any) -> tuple[tuple[int, ...], Any]:
        return t.shape, t.dtype

    def translate_to_neuron_dtype(self, dtype: Any) -> Any:
        """NumPy's dtype: JAX's own types are among them."""
        return jax.numpy.dtype(dtype)


def lowering(op: CoreOp) -> Callable[..., tuple[jax.Array, ...]] | None:
    """The function that calls the NKI kernel of `op`; None where it has none.

    It takes the operands, and attrs by keyword.
    """
    return functools.partial(call, op) if op.name in KERNELS else None


def call(op: CoreOp, *operands: jax.Array, **attrs: Any) -> tuple[jax.Array, ...]:
    """The results of the NKI kernel of `op`: outputs, then residuals, those that this call has."""
    with jax.named_scope(op.name):
        return tuple(nki_call.bind(*operands, op=op, attrs=tuple(attrs.items())))


def _spec(x: Any) -> TensorSpec:
    return TensorSpec(tuple(x.shape), NAMES[x.dtype])


def _abstract(*operands, op, attrs):
    results = op.infer(*map(_spec, operands), **dict(attrs))
    return [jax.core.ShapedArray(r.shape, DTYPES[r.dtype]) for r in results if r is not None]


def _lower(context, *operands, op, attrs):
    """As an HLO custom call, specialised on the shapes and dtypes of the operands."""
    config, _, _ = dump_config(op, *map(_spec, context.avals_in), **dict(attrs))
    types = [jax.ShapeDtypeStruct(a.shape, a.dtype) for a in context.avals_out]
    function = jax.ffi.ffi_call(
        TARGET, types, custom_call_api_version=STATUS_RETURNING, legacy_backend_config=config
    )
    write_hlo(op.name, function, context.avals_in)
    rule = mlir.lower_fun(function, multiple_results=True)
    return rule(context, *operands)


def _batch(operands: Sequence[Any], dims: Sequence[Any], **params: Any):
    """One call after the other: a kernel knows no batch."""
    mapped = [jax.numpy.moveaxis(x, dim, 0) for x, dim in zip(operands, dims) if dim is not None]

    def one(slices):
        rest = iter(slices)
        each = (x if dim is None else next(rest) for x, dim in zip(operands, dims))
        return nki_call.bind(*each, **params)

    results = jax.lax.map(one, mapped)
    return results, [0] * len(results)


nki_call.def_abstract_eval(_abstract)
mlir.register_lowering(nki_call, _lower)
batching.primitive_batchers[nki_call] = _batch
