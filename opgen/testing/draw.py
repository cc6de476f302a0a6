"""Draw random input arrays for a case, within the limits of each input's `values` condition."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from opgen.ir.nodes import Tensor
from opgen.ir.op import Op
from opgen.language.dtypes import DTYPES
from opgen.language.expr import Expr
from opgen.language.expr.evaluate import evaluate
from opgen.testing.environment import (
    Case,
    dtype_in,
    environment,
    numpy_dtype,
    pick,
    shape_in,
)
from opgen.testing.legal import integer_limits, legal

LIMIT = 1000


def draw(op: Op, case: Case) -> list[Any]:
    """Draw the inputs of a call in spec order.

    An input is an array, a list of arrays, or None if it is absent. Floats are normally
    distributed. Integers cover their whole range unless the input's `values` condition restricts
    them.
    """
    values = environment(op, case)
    rng = np.random.default_rng([case.seed, len(op.inputs)])
    return [_input(tensor, values, rng) for tensor in op.inputs]


def draw_cotangents(op: Op, case: Case) -> list[Any]:
    """Draw a random cotangent for each output, or None if the output is absent."""
    values = environment(op, case)
    rng = np.random.default_rng([case.seed, len(op.outputs), 1])
    found: list[Any] = []
    for tensor in op.outputs:
        if tensor.when is not None and not evaluate(tensor.when, values):
            found.append(None)
            continue
        shape, dtype = shape_in(op, tensor, values, case), dtype_in(tensor, values)
        cotangents = [_array(dtype, each, rng) for each in (shape if tensor.list else [shape])]
        found.append(cotangents if tensor.list else cotangents[0])
    return found


def _input(tensor: Tensor, values: Mapping[str, Any], rng: np.random.Generator) -> Any:
    shape = values[tensor.name]
    if shape is None:
        return None
    dtype = dtype_in(tensor, values)
    said = tensor.values
    condition = pick(said, values) if said else None
    made = []
    for each in shape if tensor.list else [shape]:
        array = _seed(tensor, condition, values, rng) if tensor.seed else None
        if array is None and condition is not None:
            array = legal(tensor.name, condition, values, dtype, each, rng)
        found = _array(dtype, each, rng) if array is None else array.astype(numpy_dtype(dtype))
        made.append(found)
    return made if tensor.list else made[0]


def _seed(
    tensor: Tensor, condition: Expr | None, values: Mapping[str, Any], rng: np.random.Generator
) -> np.ndarray | None:
    """Draw a 63-bit seed, as frameworks do. Return None if `condition` rejects the seed."""
    seed = int(rng.integers(2**63))
    sound = condition is None or evaluate(condition, {**values, tensor.name: seed})
    return np.array(seed) if sound else None


def _array(dtype: str, shape: tuple[int, ...], rng: np.random.Generator) -> np.ndarray:
    info = DTYPES[dtype]
    array: np.ndarray
    if info.kind == "float":
        array = rng.standard_normal(shape)
    elif info.kind == "complex":
        array = rng.standard_normal(shape) + 1j * rng.standard_normal(shape)
    elif info.kind == "bool":
        array = rng.integers(0, 2, shape)
    else:
        limits = integer_limits(dtype)
        low, high = max(limits[0], -LIMIT), min(limits[1], LIMIT)
        array = rng.integers(low, high, shape, endpoint=True)
    return np.asarray(array).astype(numpy_dtype(dtype))
