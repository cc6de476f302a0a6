"""The types of attrs that are not lists: how a call's values of each type are read and passed on.

The checks of calls, the PyTorch and JAX code, descriptors and the generator use this one table.
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
    OverflowError for a number out of range. Frameworks cannot pass values of some types. They pass
    the numbers that `parts` returns, as an attr of the type `passed`, such as `float[2]`.
    """

    words: str
    read: Callable[[Any], Any]
    limit: str = "that a double holds"
    passed: str = ""
    parts: Callable[[Any], tuple[Any, ...]] | None = None

    def encoded(self, value: Any) -> Any:
        """Return `value` as frameworks pass it."""
        return value if self.parts is None else self.parts(value)


SCALARS = {
    "float": Scalar("a number", _float),
    "complex": Scalar(
        "a complex number",
        _complex,
        passed="float[2]",
        parts=lambda value: (value.real, value.imag),
    ),
    "int": Scalar("an integer", _int, "of 64 bits"),
    "bool": Scalar("a bool", _bool),
    "str": Scalar("a string", _str),
    "dtype": Scalar("a dtype", _dtype),
}
