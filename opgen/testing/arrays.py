"""Convert arrays and lists of arrays between NumPy and the frameworks without changing a bit.

All dtypes are supported, including bf16 and fp8.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from opgen.language.dtypes import DTYPES
from opgen.targets.torch import TORCH_NAMES
from opgen.testing.environment import numpy_dtype

if TYPE_CHECKING:
    import torch


def to_torch(array: np.ndarray | None) -> Any:
    """Copy a NumPy array to a new torch tensor with the same bits."""
    return None if array is None else over(np.array(array))


def over(array: np.ndarray) -> torch.Tensor:
    """Return a torch tensor that shares memory with the NumPy array."""
    import torch

    name = next(n for n in DTYPES if numpy_dtype(n) == array.dtype)
    if DTYPES[name].bits < 8:
        import pytest

        pytest.skip(f"PyTorch has no tensors of dtype {name}")
    if DTYPES[name].kind == "complex":
        return torch.from_numpy(array)
    raw = torch.from_numpy(array.view(_bits(array.dtype)))
    return raw.view(getattr(torch, TORCH_NAMES[name]))


def from_torch(tensor: torch.Tensor) -> np.ndarray:
    """Copy a torch tensor on any device to a NumPy array with the same bits."""
    import torch

    tensor = tensor.detach().cpu().contiguous()
    name = str(tensor.dtype).removeprefix("torch.")
    dtype = numpy_dtype(next(n for n, torch in TORCH_NAMES.items() if torch == name))
    if dtype.kind in "bc":
        return tensor.resolve_conj().resolve_neg().numpy()
    integer = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}[dtype.itemsize]
    raw: np.ndarray = tensor.numpy() if dtype == np.bool_ else tensor.view(integer).numpy()
    return raw.view(dtype)


def applied(function: Callable[..., Any], value: Any) -> Any:
    """Apply `function` to an array, or to each array of a list. None stays None."""
    if isinstance(value, list):
        return mapped(function, value)
    return None if value is None else function(value)


def mapped(function: Callable[..., Any], values: Iterable[Any]) -> list[Any]:
    """Apply `function` to each array of a call. Lists stay lists, and None stays None."""
    return [applied(function, value) for value in values]


def tupled(results: Any) -> tuple[Any, ...]:
    """Return the results of a call as a tuple, also if the call returns a single result."""
    return results if isinstance(results, tuple) else (results,)


def flat(values: Iterable[Any]) -> list[Any]:
    """Return a flat list of the arrays of a call. An absent array stays None."""
    return [x for v in values for x in (v if isinstance(v, list) else [v])]


def replaced(values: Iterable[Any], flat_values: Iterable[Any]) -> list[Any]:
    """Return `values`, with its arrays replaced in order by those in the list `flat_values`."""
    rest = iter(flat_values)
    return [[next(rest) for _ in v] if isinstance(v, list) else next(rest) for v in values]


def named(tensors: Iterable[Any], *rows: Iterable[Any]) -> Iterator[tuple[Any, ...]]:
    """Yield the name of each array of a call, with its item in each sequence of `rows`."""
    for tensor, *values in zip(tensors, *rows, strict=True):
        if any(isinstance(v, list) for v in values):
            for n, items in enumerate(zip(*values, strict=True)):
                yield f"{tensor.name}[{n}]", *items
        else:
            yield tensor.name, *values


def _bits(dtype: np.dtype) -> np.dtype:
    return np.dtype({1: "u1", 2: "i2", 4: "i4", 8: "i8"}[dtype.itemsize])


def scattered(array: np.ndarray) -> np.ndarray:
    """Return the same values as a non-contiguous view: every second element of a wider last dim."""
    if array.ndim == 0:
        return array
    wide = np.empty((*array.shape[:-1], 2 * array.shape[-1]), array.dtype)
    wide[..., ::2] = array
    return wide[..., ::2]


def transposed(array: np.ndarray) -> np.ndarray:
    """Return the same values as a view with reversed memory order."""
    return np.ascontiguousarray(array.T).T


LAYOUTS = {"contiguous": np.ascontiguousarray, "scattered": scattered, "transposed": transposed}
