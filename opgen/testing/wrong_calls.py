"""Invalid calls of an op in any framework, and the error that each call must raise.

Each call differs from a valid call in one argument. `kinds.py` contains arguments of a wrong type.
"""

from __future__ import annotations

import math
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import field
from functools import partial
from typing import Any

import numpy as np

from opgen.ir.nodes import Attr, Tensor
from opgen.ir.op import Op
from opgen.language.dtypes import DTYPES
from opgen.source.frozen import dataclass
from opgen.testing.draw import draw
from opgen.testing.environment import (
    Case,
    differentiable,
    dtype_in,
    environment,
    numpy_dtype,
)
from opgen.testing.fits import fits
from opgen.testing.op_under_test import OpUnderTest

# Dtypes to try in place of an input's dtype. Many ops reject most of them.
OTHER_DTYPES = ("f32", "bf16", "f64", "i32", "i64", "u8", "bool", "c64", "f8e4m3")
NUMBERS: dict[str, tuple[Any, ...]] = {
    "float": (math.nan, math.inf, -math.inf, -1.0, 0.0, 2.0, 1e308),
    "int": (-1, 0, 2**62, -(2**62)),
    "str": ("", "no such choice"),
}
# Patterns of opgen's error messages. If the number or position of arguments is wrong, Python or JAX
# raises the error instead.
REFUSAL = (
    r"{op}: .*\b{argument}\b.*(expected|requires) .*, got |{op}: .*(expected|requires) .*"
    r"\b{argument}\b.*, got |{op}: (expected|requires) .*, got .*\b{argument}\b"
)
COUNT = (
    r"_?(flat_)?{op}\w*\(\) (missing \d+ required .*'{argument}'|takes .* given|got .*'{argument}')"
)
OVERLAP = r"{op}: .*\b{argument}\b.*shares memory|{op}: .*shares memory with {argument}\b"
# In the message of a raw PyTorch op, the namespace precedes the op's name.
GRADIENT = r"(\w+\.)?{op}\b.*(\b{argument}\b.*gradient|no gradient|cannot be differentiated: )"
DEVICES = r"Received incompatible devices for jitted computation.* of _?{op} "
WORDS = {
    "arguments": COUNT,
    "overlap": f"{OVERLAP}|{REFUSAL}",
    "gradient": GRADIENT,
    "device": f"{DEVICES}|{REFUSAL}",
}


@dataclass(frozen=True)
class WrongCall:
    """A call with one changed argument, the name of this argument, and the kind of the change.

    `legal` is true if the spec still allows the call. A legal call must either succeed or raise an
    opgen error. No call may crash the process or raise another library's error.
    """

    kind: str
    argument: str
    inputs: tuple[Any, ...]
    attrs: dict[str, Any]
    legal: bool = False

    def words(self, op: str) -> str:
        """Return the regular expression that this call's error message must match."""
        argument = r"\w*" if self.legal else re.escape(self.argument)
        return WORDS.get(self.kind, REFUSAL).format(op=op, argument=argument)


@dataclass
class Tried:
    """The number of tried calls of each kind, and descriptions of those with a wrong outcome."""

    counts: Counter[tuple[str, str]] = field(default_factory=Counter)  # by (mode, kind)
    failed: Counter[tuple[str, str]] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)

    def hold(self, mode: str, op: str, wrong: WrongCall, call: Callable[[], Any]) -> None:
        """Run `call`. Record a failure unless the call raises an error about the wrong argument."""
        self.counts[mode, wrong.kind] += 1
        found = _found(op, wrong, call)
        if found:
            self.failed[mode, wrong.kind] += 1
            self.failures.append(f"{op} ({mode}, {wrong.kind} of {wrong.argument}): {found}")


def _found(op: str, wrong: WrongCall, call: Callable[[], Any]) -> str:
    """Run `call`. Return "" if it raises the expected error, or else describe the failure."""
    try:
        call()
    except (TypeError, ValueError, RuntimeError, NotImplementedError) as error:
        text = str(error)
        text = text.removeprefix("INVALID_ARGUMENT: ")  # a prefix of JAX's runtime
        if not re.match(wrong.words(op), text, re.S):
            return f"{type(error).__name__}: {text}"
        foreign = [word for word in (".cpp", "TensorSpec", "Traceback") if word in text]
        return f"not in the caller's words: {text}" if foreign else ""
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return "" if wrong.legal else f"it was taken: {_described(wrong)}"


def _described(wrong: WrongCall) -> str:
    shown = [_shape(x) for x in wrong.inputs]
    return f"{', '.join(shown)}, {wrong.attrs}"


def _shape(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_shape, value))}]"
    return f"{value.dtype}{list(value.shape)}" if hasattr(value, "shape") else repr(value)


def wrong_calls(subject: OpUnderTest, case: Case, *, few: bool) -> Iterator[WrongCall]:
    """Yield calls that differ from `case` in one argument, one call for each change.

    With `few`, yield only one call of each kind. The choice depends on the name of the op.
    """
    op, attrs = subject.op, dict(case.attrs)
    arrays = draw(op, case)
    found: list[Callable[[], WrongCall | None]] = []
    for position, (tensor, array) in enumerate(zip(op.inputs, arrays, strict=True)):
        for kind, value in _changed(array):
            inputs = (*arrays[:position], value, *arrays[position + 1 :])
            found.append(partial(_unless_right, op, kind, tensor.name, inputs, attrs))
    for attr in op.options_given:
        for kind, value in _values(attr, attrs.get(attr.name, attr.default)):
            changed = attrs | {attr.name: value}
            # A list of any length may determine a size, so the error may name another argument.
            name = "" if kind == "length" and not attr.length else attr.name
            found.append(partial(_unless_right, op, kind, name, tuple(arrays), changed))
    if few:
        random.Random(op.name).shuffle(found)
    seen: set[str] = set()
    for make in found:
        wrong = make()
        if wrong is not None and not (few and wrong.kind in seen):
            seen.add(wrong.kind)
            yield wrong


def _unless_right(
    op: Op, kind: str, argument: str, inputs: tuple[Any, ...], attrs: dict[str, Any]
) -> WrongCall | None:
    """Return the changed call, or None if the change of an input left the call valid."""
    legal = fits(op, inputs, attrs)
    return None if legal and kind != "value" else WrongCall(kind, argument, inputs, attrs, legal)


def undifferentiated(subject: OpUnderTest, case: Case) -> list[str]:
    """Return the names of the floating-point inputs that have no gradient, in order."""
    op, values = subject.op, environment(subject.op, case)
    floats = [t for t in op.inputs if values[t.name] is not None and _floats(t, values)]
    if not any(_floats(t, values) for t in op.results):
        return []
    none = not differentiable(op, case)
    return [t.name for t in floats if none or not t.differentiable]


def _floats(tensor: Tensor, values: dict[str, Any]) -> bool:
    return DTYPES[dtype_in(tensor, values)].kind in ("float", "complex")


def miscounted(subject: OpUnderTest, case: Case, inputs: Sequence[Any]) -> Iterator[WrongCall]:
    """Yield calls with a missing argument, an extra argument, or an unknown argument.

    `inputs` are the valid inputs, as tensors or arrays of the framework.
    """
    op, attrs = subject.op, dict(case.attrs)
    needed = [n for n, tensor in enumerate(op.inputs) if tensor.given]
    if needed:
        cut = needed[-1]
        yield WrongCall("arguments", op.inputs[cut].name, tuple(inputs[:cut]), attrs)
    yield WrongCall("arguments", "", (*inputs, inputs[0]), attrs)
    yield WrongCall("arguments", "no_such", tuple(inputs), attrs | {"no_such": 1})
    for attr in op.options_given:
        if attr.required:
            rest = {name: value for name, value in attrs.items() if name != attr.name}
            yield WrongCall("arguments", attr.name, tuple(inputs), rest)


def _changed(array: Any) -> Iterator[tuple[str, Any]]:
    """Yield pairs: the kind of a change, and a copy of `array` with another rank, size or dtype.

    The changed array may still be valid. If `array` is a list, only its last array changes.
    """
    if array is None:
        return
    if isinstance(array, list):
        for kind, value in _changed(array[-1]):
            yield kind, [*array[:-1], value]
        return
    yield "rank", array[None]
    yield "rank", array[..., None]
    if array.ndim:
        yield "rank", _first(array, 0)
        yield "rank", _first(array, -1)
        one = array.ravel()[:1] if array.size else np.zeros(1, array.dtype)
        yield "rank", one.reshape(())
    for dim in range(array.ndim):
        yield "size", np.concatenate([array, _slice(array, dim, 1)], dim)
        yield "size", _slice(array, dim, array.shape[dim] - 1)
        yield "size", _slice(array, dim, 0)
        yield "size", np.concatenate([array, array], dim)
    for name in OTHER_DTYPES:
        if DTYPES[name].bits >= 8 and numpy_dtype(name) != array.dtype:
            with np.errstate(all="ignore"):
                yield "dtype", array.astype(numpy_dtype(name))


def _first(array: np.ndarray, dim: int) -> np.ndarray:
    """Remove a dim by taking its first slice. If the dim is empty, the result is empty."""
    rest = np.delete(array.shape, dim)
    return array.take(0, dim) if array.shape[dim] else np.zeros(rest, array.dtype)


def _slice(array: np.ndarray, dim: int, size: int) -> np.ndarray:
    return array[(slice(None),) * (dim % max(array.ndim, 1)) + (slice(max(size, 0)),)]


def _values(attr: Attr, value: Any) -> Iterator[tuple[str, Any]]:
    """Yield pairs: the kind of a change, and an unusual value for an attr.

    For example, the value is NaN, a negative number, a huge integer, or a list of another length.
    """
    for number in NUMBERS.get(attr.element, ()):
        if not attr.several:
            yield "value", number
        elif value:
            yield "value", [*value[:-1], number]
    if attr.several and value:
        yield "length", value[:-1]
        yield "length", [*value, value[-1]]
