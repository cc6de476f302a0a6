"""Functions that all operators share: conversion of tensors to specs, gradients, errors.

Rendered by opgen.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from ..core import CoreOp, TensorSpec

DTYPES = {
    torch.bfloat16: "bf16",
    torch.float16: "f16",
    torch.float32: "f32",
    torch.float64: "f64",
    torch.int8: "i8",
    torch.int16: "i16",
    torch.int32: "i32",
    torch.int64: "i64",
    torch.uint8: "u8",
    torch.uint16: "u16",
    torch.uint32: "u32",
    torch.uint64: "u64",
    torch.bool: "bool",
    torch.float8_e4m3fn: "f8e4m3",
    torch.float8_e5m2: "f8e5m2",
    torch.float8_e4m3fnuz: "f8e4m3fnuz",
    torch.float8_e5m2fnuz: "f8e5m2fnuz",
    torch.float8_e8m0fnu: "f8e8m0",
    torch.float4_e2m1fn_x2: "f4e2m1",
    torch.complex64: "c64",
    torch.complex128: "c128",
    torch.int4: "i4",
    torch.uint4: "u4",
}


def spec_of(value: Any) -> Any:
    """Return the shape and dtype of a tensor. `infer` checks any other value."""
    if not isinstance(value, Tensor):
        return value
    return TensorSpec(tuple(value.shape), DTYPES.get(value.dtype, str(value.dtype)))


def explain(op: CoreOp, error: Exception, *inputs: Any, **attrs: Any) -> Exception:
    """Return the exception to raise for a failed call, with the spec's explanation if any."""
    try:
        op.infer(*map(spec_of, inputs), **attrs)
    except (TypeError, ValueError) as reason:
        return reason.with_traceback(None)
    return error


def pullback(
    function: Callable[..., Tensor], primals: Sequence[Tensor], cotangent: Tensor
) -> tuple[Tensor, ...]:
    """Return the gradients of `function` at `primals`, by autograd."""
    _, pull = torch.func.vjp(function, *primals)
    return pull(cotangent)


def find(library: str, file: str) -> str:
    """Return the path of a built library. Raises ImportError if it is missing."""
    path = Path(__file__).resolve().parents[1] / "lib" / library / file
    if not path.is_file():
        raise ImportError(f"{path} is missing: run the `build.py` of {library}")
    return str(path)
