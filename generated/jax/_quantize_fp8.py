"""`quantize_fp8` for JAX.

Rendered by opgen from quantize_fp8.toml: edit the spec, not this file.
"""

from __future__ import annotations

import functools

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import quantize_fp8 as _core

_KERNEL = _runtime.Kernel(_core)


def quantize_fp8(
    x: ArrayLike,
    *,
    out_dtype: str = "f8e4m3",
    block: int = 128,
    column_major: bool = False,
    floor: float = 1e-10,
) -> tuple[jax.Array, jax.Array]:
    """Quantises `x` to fp8, with one scale for each block of columns in each row.

    Args:
        x (ArrayLike): shape `(m, kb*block)`, bfloat16, float16 or float32.
        out_dtype (str): one of 'f8e4m3', 'f8e5m2'. Default: 'f8e4m3'.
        block (int): one of 64, 128. Default: 128.
        column_major (bool): Default: False.
        floor (float): Default: 1e-10.

    Returns:
        A tuple of

        - q (jax.Array): shape `(m, kb*block)`, the dtype `out_dtype`.
        - scale (jax.Array): shape `(m, kb)`, float32.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    out_dtype = _runtime.static("quantize_fp8", "out_dtype", out_dtype, "dtype")
    if type(block) is not int:
        block = _runtime.static("quantize_fp8", "block", block, "int")
    if type(column_major) is not bool:
        column_major = _runtime.static("quantize_fp8", "column_major", column_major, "bool")
    if type(floor) is not float:
        floor = _runtime.static("quantize_fp8", "floor", floor, "float")
    try:
        return _quantize_fp8(x, out_dtype, block, column_major, floor)
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(
            _KERNEL,
            _quantize_fp8,
            x,
            out_dtype=out_dtype,
            block=block,
            column_major=column_major,
            floor=floor,
        )


@functools.partial(jax.jit, static_argnums=(1, 2, 3, 4))
def _quantize_fp8(x, out_dtype, block, column_major, floor):
    (x,) = _runtime.check(
        _KERNEL, x, out_dtype=out_dtype, block=block, column_major=column_major, floor=floor
    )
    (x,) = _runtime.no_gradient("quantize_fp8", x)
    return _runtime.call(
        _KERNEL, x, out_dtype=out_dtype, block=block, column_major=column_major, floor=floor
    )
