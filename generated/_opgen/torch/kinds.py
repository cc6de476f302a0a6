"""Checks of the kinds of arguments.

PyTorch accepts NaN as a bool, a dtype as an int, and a tensor as a list of its rows. So this module
checks arguments first, unless their types match the schema exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import NoneType
from typing import Any

import torch
from torch import Tensor

from ..core.attrs import SCALARS
from ..core.kinds import Unfit, as_kind, is_list, scalar_dtype, wrong_kind
from ..core.project import core_op
from ..core.runtime import bits
from .dtypes import DTYPES, NAMES

# The values that `torch.zeros(dtype=...)` accepts next to torch's dtypes.
PYTHON_TYPES: dict[object, torch.dtype] = {
    float: torch.float64,
    int: torch.int64,
    bool: torch.bool,
    complex: torch.complex128,
}
# The kind of argument for each type in PyTorch's schemas.
KINDS = {
    "TensorType": "tensor",
    "IntType": "int",
    "SymIntType": "int",
    "FloatType": "float",
    "BoolType": "bool",
    "StringType": "str",
    "ScalarTypeType": "dtype",
}
# For each kind, the Python type of values that need no further checks.
EXACT = {"int": int, "float": float, "bool": bool, "str": str, "dtype": torch.dtype}


def by_kind(
    op: torch._ops.OpOverload, run: Callable[..., Any], *, traced: bool = False
) -> Callable[..., Any]:
    """Return a function that checks the kinds of its arguments, converts them, and calls `run`.

    `run` calls `op` with arguments in schema order. In traced programs, Dynamo checks the tensors,
    because each check here would add a guard.
    """
    name = op._schema.name.partition("::")[2]
    kinds = tuple(_kinds(op._schema))
    taken = {"tensor": (Tensor,), "tensor?": (Tensor, NoneType)}
    types = {**EXACT, "tensor[]": list} if traced else EXACT
    exact = tuple((i, types.get(k, Any)) for i, (_, k) in enumerate(kinds) if k not in taken)
    tensors = tuple((i, taken[k]) for i, (_, k) in enumerate(kinds) if k in taken and not traced)

    def call(*args: Any) -> Any:
        for position, kind in exact:
            if type(args[position]) is not kind:
                break
        else:
            for position, either in tensors:
                if not isinstance(args[position], either):
                    break
            else:
                return run(*args)
        return run(*[read(name, *kind, value) for kind, value in zip(kinds, args)])

    return call if exact or tensors else run


def spec_names(schema: torch._C.FunctionSchema) -> list[str]:
    """Return the spec's names of a schema's arguments.

    A schema adds an underscore to some names that PyTorch reserves.
    """
    names = [argument.name for argument in schema.arguments]
    if not any(argument.is_write for argument in schema.arguments):
        return names
    return [n[:-1] if n.rstrip("_") in ("ctx", "mode") else n for n in names]


def _kinds(schema: torch._C.FunctionSchema) -> Iterator[tuple[str, str]]:
    """Yield the name and kind of each argument. A kind is `tensor`, `tensor[]`, or the type of an
    attr in the spec's notation.
    """
    for name, argument in zip(spec_names(schema), schema.arguments):
        element, optional, several = _parts_of(argument)
        if several not in ("", "[]"):  # the parts of a value
            yield name, core_op(schema.name.partition("::")[2]).facts.attrs[name]
        else:
            yield name, f"{KINDS[element]}{several}{optional}"


def holds_tensors(argument: torch._C.Argument) -> bool:
    """Return whether an argument of a schema is a tensor, or a list of tensors."""
    return KINDS[_parts_of(argument)[0]] == "tensor"


def schema_type(argument: torch._C.Argument) -> str:
    """Return the type of an argument, for a schema whose ints may be symbols."""
    element, optional, several = _parts_of(argument)
    kind = KINDS[element]
    names = {"tensor": "Tensor", "int": "SymInt", "dtype": "ScalarType"}
    return f"{names.get(kind, kind)}{several}{optional}"


def _parts_of(argument: torch._C.Argument) -> tuple[str, str, str]:
    """Return the parts of an argument's type: its element, `?` if optional, `[]` or `[2]` if it is
    a list.
    """
    found: Any = argument.real_type
    optional = several = ""
    if found.kind() == "OptionalType":
        found, optional = found.getElementType(), "?"
    if found.kind() == "ListType":
        length = argument.N or ""  # type: ignore[attr-defined] # PyTorch's stubs lack `N`
        found, several = found.getElementType(), f"[{length}]"
    return found.kind(), optional, several


def read(op: str, name: str, kind: str, value: Any) -> Any:
    """Check argument `name` and convert it to the type in PyTorch's schema.

    Raises TypeError for a value of another kind, and ValueError for a number out of range.
    """
    if kind == "tensor" or kind == "tensor?":
        if not isinstance(value, Tensor) and (kind == "tensor" or value is not None):
            raise wrong_kind(op, name, "a tensor", value)
        return value
    if kind == "tensor[]":
        return _tensors(op, name, value)
    if kind == "dtype" or kind == "dtype?":
        return dtype_of(op, name, value, kind)
    scalar = SCALARS.get(kind.removesuffix("?"))
    if scalar is not None and scalar.passed:  # Dynamo does not trace `complex(value)`
        if type(value) in (int, float):
            return [as_kind(op, name, value, "float"), 0.0]
        if isinstance(value, (list, tuple)):
            return list(as_kind(op, name, value, scalar.passed))
    value = as_kind(op, name, value, kind)
    if scalar is not None and value is not None:
        value = scalar.encoded(value)
    return list(value) if isinstance(value, tuple) else value


def dtype_of(op: str, name: str, value: Any, kind: str) -> torch.dtype | None:
    """Return the dtype that `torch.zeros` would use for `value`, as a torch dtype."""
    if isinstance(value, torch.dtype) or value is None and kind[-1] == "?":
        return value
    if not isinstance(value, type) or value not in PYTHON_TYPES:
        raise wrong_kind(op, name, "a torch.dtype", value)
    return PYTHON_TYPES[value]


def _tensors(op: str, name: str, value: Any) -> list[Tensor]:
    if not is_list(value):
        raise wrong_kind(op, name, "a list of tensors", value)
    tensors = list(value)
    for index, each in enumerate(tensors):
        if not isinstance(each, Tensor):
            raise wrong_kind(op, f"{name}[{index}]", "a tensor", each)
    return tensors


def unfit(tensor: Tensor) -> Unfit | None:
    """Return a description of a tensor that no kernel can read; None if kernels can read it.

    Kernels cannot read nested tensors, tensors without strides, and tensors of packed values.
    """
    if tensor.is_nested:
        return Unfit("a nested tensor, whose rows differ in length: give its `values()`")
    if tensor.layout is not torch.strided:
        return Unfit(f"one of layout {tensor.layout}: give its `to_dense()`")
    if packed(NAMES.get(tensor.dtype)):
        return Unfit(f"one of {tensor.dtype}, whose dims count bytes in PyTorch")
    return None


def packed(name: str | None) -> bool:
    """Return whether several values of dtype `name` share a byte. PyTorch lacks tensors of such
    dtypes.
    """
    return name is not None and bits(name) < 8


def number(value: Any, *of: Any, device: Any = None) -> Any:
    """Return a tensor in place of a Python number for a scalar input, or any other value unchanged.

    `of` has the arguments for `scalar_dtype`, which returns the dtype. An input in `of` stands for
    its dtype. By default, the tensor is on the device of the first tensor in `of`. A number that
    the dtype cannot hold stays a number, and a later check rejects it.
    """
    if isinstance(value, Tensor) or value is None:
        return value
    tensors = [tensor for each in of for tensor in tensors_in(each)[:1]]
    name = scalar_dtype(*(each if isinstance(each, str) else _dtype_of(each) for each in of))
    if name not in DTYPES:
        return value
    dtype = DTYPES[name]
    floating = dtype.is_floating_point or dtype.is_complex
    try:
        if type(value) is not float or not floating:
            kind = "float" if floating else "bool" if dtype is torch.bool else "int"
            value = as_kind("", "", value, kind)
        if device is None and tensors:
            device = tensors[0].device
        return torch.tensor(value, dtype=dtype, device=device)
    except (TypeError, ValueError, RuntimeError):
        return value


def _dtype_of(value: Any) -> str | None:
    """Return the spec's name for the dtype of a tensor, or of the first tensor in a list."""
    tensors = tensors_in(value)
    return NAMES.get(tensors[0].dtype) if tensors else None


def tensors_in(value: Any) -> list[Tensor]:
    """Return the tensors of an argument."""
    values = value if isinstance(value, (list, tuple)) else [value]
    return [each for each in values if isinstance(each, Tensor)]
