"""`quantize_fp8` for PyTorch.

Rendered by opgen from quantize_fp8.toml: edit the spec, not this file.
"""

from __future__ import annotations

import torch
from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

_op = _runtime.register("quantize_fp8", rule=("op quantize_fp8 -> q scale", "refuse x"))
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def quantize_fp8(
    x: Tensor,
    *,
    out_dtype: torch.dtype = torch.float8_e4m3fn,
    block: int = 128,
    column_major: bool = False,
    floor: float = 1e-10,
) -> tuple[Tensor, Tensor]:
    """Quantises `x` to fp8, with one scale for each block of columns in each row.

    Args:
        x (Tensor): shape `(m, kb*block)`, bfloat16, float16 or float32.
        out_dtype (torch.dtype): one of torch.float8_e4m3fn, torch.float8_e5m2. Default:
            torch.float8_e4m3fn.
        block (int): one of 64, 128. Default: 128.
        column_major (bool): Default: False.
        floor (float): Default: 1e-10.

    Returns:
        A tuple of

        - q (Tensor): shape `(m, kb*block)`, the dtype `out_dtype`.
        - scale (Tensor): shape `(m, kb)`, float32.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
    """
    try:
        return (_traced if is_dynamo_compiling() else _eager)(
            x, out_dtype, block, column_major, floor
        )
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain(
            "quantize_fp8", error, x, out_dtype, block, column_major, floor
        ) from None
