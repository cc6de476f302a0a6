"""Functions that all operators share: conversion of tensors to specs, gradients, errors.

Rendered by opgen.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from .._opgen.core.dtypes import DTYPES
from ..core import CoreOp, TensorSpec

NAMES = {getattr(torch, dtype.torch): name for name, dtype in DTYPES.items()}


def spec_of(value: Any) -> Any:
    """Return the shape and dtype of a tensor. `infer` checks any other value."""
    if not isinstance(value, Tensor):
        return value
    return TensorSpec(tuple(value.shape), NAMES.get(value.dtype, str(value.dtype)))


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
