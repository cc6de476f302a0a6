"""Checks of the values that a call accepts for a tensor, a list, or an attr.

The PyTorch and JAX code use these checks, so both accept the same values. A value of the wrong kind
raises TypeError, and a value out of range raises ValueError. Each message names the op, the
argument, the expected and the actual value.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any, TypeGuard

from .attrs import SCALARS
from .runtime import TensorSpec, accum, is_true, promote, real

# The functions with which a spec derives a dtype from other dtypes.
DERIVED: dict[str | None, Callable[..., str]] = {"accum": accum, "promote": promote, "real": real}
# Types of symbolic numbers in traced programs, and the attr types that such numbers are valid for.
# A symbolic number has no value yet and must not be converted.
SYMBOLS = {
    "SymInt": ("int", "float"),
    "SymFloat": ("float",),
    "SymBool": ("bool",),
    "_DimExpr": ("int", "float"),
}


@dataclass(frozen=True)
class Unfit:
    """A framework's tensor that no kernel can read. `what` describes the tensor in messages."""

    what: str


def check_attr(
    op: str,
    name: str,
    value: Any,
    kind: str,
    *,
    choices: Sequence[Any] = (),
    low: float | None = None,
    high: float | None = None,
    optional: bool = False,
) -> Any:
    """Convert attribute `name` to its type and check it against `choices`, `low` and `high`.

    Raises TypeError for a wrong type, and ValueError for a value out of bounds.
    """
    value = as_kind(op, name, value, f"{kind}?" if optional else kind)
    if value is None:
        return None
    for each in value if isinstance(value, tuple) else (value,):
        if choices and each not in choices:
            listed = ", ".join(map(repr, choices))
            raise ValueError(f"{op}: {name}: expected one of {listed}, got {each!r}")
        if low is not None and not is_true(each >= low):
            raise ValueError(f"{op}: {name}: expected at least {low}, got {each}")
        if high is not None and not is_true(each <= high):
            raise ValueError(f"{op}: {name}: expected at most {high}, got {each}")
    return value


def as_kind(op: str, name: str, value: Any, kind: str) -> Any:
    """Return `value` converted to `kind`, such as `float`, `int[2]`, or `str?` (may be None). Lists
    become tuples.
    """
    if kind[-1] == "?":
        if value is None:
            return None
        kind = kind[:-1]
    base, bracket, count = kind.partition("[")
    if not bracket:
        return _scalar(op, name, value, base)
    if isinstance(value, (str, bytes)) or not isinstance(value, Sequence):
        raise wrong_kind(op, name, f"a list of {base}", value)
    if count != "]" and len(value) != int(count[:-1]):
        raise TypeError(
            f"{op}: {name}: expected {count[:-1]} values, got {len(value)}: {tuple(value)}"
        )
    return tuple(_scalar(op, f"{name}[{i}]", v, base) for i, v in enumerate(value))


def check_wanted(op: str, wanted: Collection[str], names: Sequence[str]) -> tuple[str, ...]:
    """Check `wanted`, the names of requested results, and return them in the order of `names`.

    `names` lists the results that the op computes only on request.
    """
    if isinstance(wanted, str) or not isinstance(wanted, Collection):
        raise wrong_kind(op, "wanted", "names", wanted)
    for name in wanted:
        if name not in names:
            listed = ", ".join(map(repr, names))
            raise ValueError(f"{op}: wanted: expected some of {listed}, got {name!r}")
    return tuple(name for name in names if name in wanted)


def check_dtype(
    op: str,
    name: str,
    tensor: object,
    allowed: Sequence[str | None],
    like: str = "",
    derived: str = "",
) -> str:
    """Return the dtype of argument `name`. It must be one of `allowed`; otherwise raise an error.

    `like` names an argument that must have the same dtype. `derived` explains how other arguments
    determine the dtype. `allowed` contains only None if an attr determines the dtype and is None.
    """
    if not isinstance(tensor, TensorSpec):
        raise wrong_kind(op, name, "a tensor", tensor)
    if tensor.dtype not in allowed:
        wanted = " or ".join(filter(None, allowed))
        if not wanted:
            of = like or derived.removeprefix("which follows from ")
            message = f"expected None: no dtype follows from {of}; got {tensor.dtype}"
            raise TypeError(f"{op}: {name}: {message}")
        reason = f", the dtype of {like}" if like else f", {derived}" if derived else ""
        raise TypeError(f"{op}: {name}: expected dtype {wanted}{reason}, got {tensor.dtype}")
    return tensor.dtype


def scalar_dtype(*of: str | None) -> str | None:
    """Return the dtype for a Python number that replaces an input.

    If `of` holds only dtypes, return the first that is not None. If `of` starts with the name of a
    function, such as `accum`, apply the function to the dtypes that follow. Return None if one of
    these is None. In `of`, None stands for an input whose dtype has no name in specs.
    """
    if of[0] not in DERIVED:
        return next(filter(None, of), None)
    return None if None in of else DERIVED[of[0]](*of[1:])


def check_list(op: str, name: str, tensors: object) -> None:
    """Check that argument `name` is a list of tensors of one dtype."""
    if not is_list(tensors):
        raise wrong_kind(op, name, "a list of tensors", tensors)
    if not tensors:
        raise TypeError(f"{op}: {name}: expected a list of tensors, got an empty one")
    for index, tensor in enumerate(tensors):
        if not isinstance(tensor, TensorSpec):
            raise wrong_kind(op, f"{name}[{index}]", "a tensor", tensor)
        check_dtype(op, f"{name}[{index}]", tensor, (tensors[0].dtype,), f"{name}[0]")


def check_presence(op: str, name: str, tensor: object, wanted: bool, reason: str) -> None:
    """Check that argument `name` is a tensor if `wanted` is True, and None otherwise.

    `reason` is the condition for its presence, for the error message.
    """
    if wanted and tensor is None:
        raise TypeError(f"{op}: {name}: expected a tensor where {reason}, got None")
    if not wanted and tensor is not None:
        raise TypeError(f"{op}: {name}: expected None unless {reason}, got a tensor")


def given(tensors: object) -> Any:
    """Return None for an empty list of tensors, and any other value unchanged."""
    return None if is_list(tensors) and len(tensors) == 0 else tensors


def is_list(value: object) -> TypeGuard[Sequence[Any]]:
    """Return whether `value` may be a list of tensors: it has a length, an order, and indexing."""
    if isinstance(value, (str, bytes, dict, TensorSpec, Unfit)) or hasattr(value, "dtype"):
        return False
    kinds = ("__len__", "__getitem__", "__iter__")
    return all(hasattr(value, kind) for kind in kinds)


def wrong_kind(op: str, name: str, expected: str, value: object) -> TypeError:
    """Return the error for an argument that is not of the `expected` kind."""
    return TypeError(f"{op}: {name}: expected {expected}, got {kind_of(value)}")


def kind_of(value: object) -> str:
    """Return a name for the kind of a value, for messages."""
    if value is None:
        return "None"
    if isinstance(value, (TensorSpec, Unfit)):
        return value.what if isinstance(value, Unfit) else "a tensor"
    if isinstance(value, type):
        return f"the type {value.__name__}"
    module, name = type(value).__module__, type(value).__qualname__
    name = name if module == "builtins" else f"{module}.{name}"
    return f"{'an' if name[0] in 'aeiouAEIOU' else 'a'} {name}"


def _scalar(op: str, name: str, value: Any, kind: str) -> Any:
    if kind in SYMBOLS.get(type(value).__name__, ()):
        return value
    scalar = SCALARS[kind]
    if scalar.passed and isinstance(value, (list, tuple)):
        value = as_kind(op, name, value, scalar.passed)
        if any(type(part).__name__ in SYMBOLS for part in value):
            return value
    try:
        return scalar.read(value)
    except OverflowError:
        expected = f"{scalar.words} {scalar.limit}"
        raise ValueError(f"{op}: {name}: expected {expected}, got {_shown(value)}") from None
    except TypeError:
        got = repr(value) if kind == "dtype" and isinstance(value, str) else kind_of(value)
        raise TypeError(f"{op}: {name}: expected {scalar.words}, got {got}") from None


def _shown(value: Any) -> str:
    """Return the text of a number that is out of range. For a number with hundreds of digits,
    return the name of its type.
    """
    text = str(value) if isinstance(value, int) and value.bit_length() < 256 else ""
    return text or f"{kind_of(value)} that is larger"
