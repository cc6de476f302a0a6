"""The types of attrs that are not lists, and the names of attrs in XLA's custom calls.

The checks of calls, the PyTorch and JAX code, descriptors and the generator use these.
"""

from __future__ import annotations

import numbers
import operator
import sys
from collections.abc import Callable
from typing import Any, NamedTuple

from .dtypes import DTYPES

LOW, HIGH = -(2**63), 2**63 - 1
HIGHEST = sys.float_info.max


def _bool(value: Any) -> bool:
    if isinstance(value, bool):
        return value
    if not _is_number(value, "bool"):
        raise TypeError
    return bool(value)


def _int(value: Any) -> int:
    number: int = value
    if type(value) is not int:
        if isinstance(value, bool) or not _is_number(value, "int"):
            raise TypeError
        number = operator.index(value)
    if not LOW <= number <= HIGH:
        raise OverflowError
    return number


def _float(value: Any) -> float:
    if type(value) is float:
        return value
    if isinstance(value, int) and not -HIGHEST <= value <= HIGHEST:
        raise OverflowError
    real = isinstance(value, numbers.Real) or _is_number(value, "float")
    if isinstance(value, bool) or not real:
        raise TypeError
    return float(value)


def _complex(value: Any) -> complex:
    """Convert a number, or a list of a real and an imaginary part, to a complex number.

    Specs and PyTorch schemas use the list.
    """
    if isinstance(value, (list, tuple)):
        if len(value) != 2:
            raise TypeError
        return complex(*map(_float, value))
    number = isinstance(value, numbers.Complex) or _is_number(value, "complex")
    if isinstance(value, bool) or not number:
        raise TypeError
    return complex(value)


def _str(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value if type(value) is str else str.__str__(value)


def _dtype(value: Any) -> str:
    if not isinstance(value, str) or value not in DTYPES:
        raise TypeError
    return value


def _is_number(value: Any, kind: str) -> bool:
    """Return whether `value`, which is not a Python number, can be converted to a number of `kind`.

    An array can be converted if it has no dims and the conversion loses nothing: no gradient, no
    imaginary part and no fraction.
    """
    if not hasattr(value, "dtype"):
        return kind == "int" and hasattr(value, "__index__")
    if getattr(value, "ndim", None) != 0 or getattr(value, "requires_grad", False):
        return False
    dtype = str(value.dtype).rpartition(".")[2]
    if dtype == "bool" or kind == "bool":
        return dtype == kind
    if dtype.startswith("complex"):
        return kind == "complex"
    return kind in ("float", "complex") or dtype.lstrip("u").startswith("int")


class Scalar(NamedTuple):
    """An attr type. `words` and `limit` describe it in messages about calls.

    `read` converts a caller's value. It raises TypeError for a value of another type, and
    OverflowError for a number out of range. If frameworks cannot pass values of this type, they
    pass the numbers that `encoded` returns, as an attr of the type `passed`.
    """

    words: str
    read: Callable[[Any], Any]
    limit: str = "that a double holds"
    passed: str = ""
    encoded: Callable[[Any], Any] = lambda value: value


SCALARS = {
    "float": Scalar("a number", _float),
    "complex": Scalar(
        "a complex number", _complex, passed="float[2]", encoded=lambda z: (z.real, z.imag)
    ),
    "int": Scalar("an integer", _int, "of 64 bits"),
    "bool": Scalar("a bool", _bool),
    "str": Scalar("a string", _str),
    "dtype": Scalar("a dtype", _dtype),
}


def ffi_name(attr: str) -> str:
    """Return the name of an attr in custom calls. The name gets an underscore if XLA or opgen
    already uses it.
    """
    return f"{attr}_" if attr.rstrip("_") in ("batch_dims", "ctx", "given", "op_hash") else attr
