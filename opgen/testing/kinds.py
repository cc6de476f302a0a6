"""Arguments of a wrong type for each parameter of an op. Each error must name the parameter.

docs/language/calls.md lists the values that a parameter accepts ("What a call may give").
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from opgen.ir.nodes import Tensor
from opgen.ir.op import Op
from opgen.language.dtypes import DTYPES
from opgen.language.expr import Expr
from opgen.targets.public_api import numbers

NAN = float("nan")
# Values that no attr type accepts.
NEVER: tuple[Any, ...] = (1j, {}, object(), int, len, np.complex64(1))
ATTRS = {
    "float": (*NEVER, None, True, "1", b"1", [1.0], float, 10**400, -(10**400), np.bool_(True)),
    "complex": (*NEVER[1:-1], None, True, "1j", b"1", [1.0], [1j, 1], [1, 2, 3], complex, 10**400),
    "int": (*NEVER, None, True, "1", 1.0, NAN, [1], 2**70, -(2**70), np.float32(1), np.array([1])),
    "bool": (*NEVER, None, NAN, range(2), 1, 0, "True", [True], bool, 2**70, np.int64(1)),
    "str": (*NEVER, None, 1, b"none", ["none"], str, True),
    "dtype": (*NEVER, None, 3, 1.0, [1], ["f32"], "no_dtype", b"f32"),
}
LISTS = (*NEVER, None, 1, "12", b"12", {1, 2}, iter([1, 2]))
# Wrong values for a tensor. A scalar input may be a number. The number may be complex if the
# input's dtype is complex.
TENSORS: tuple[Any, ...] = ("text", b"text", [1.0, 2.0], {}, object(), float)
TENSOR_LISTS: tuple[Any, ...] = (*TENSORS, 1.0, [], {"a": 1}, iter([]))
NUMBERS = ("1", 10**400, [1.0])

Foreign = Mapping[str, Sequence[Any]]  # values of a framework, by the kind of parameter


def wrong_attrs(op: Op, foreign: Foreign) -> Iterator[tuple[str, Any]]:
    """Yield the name of an attr and a value that the attr must not accept."""
    for attr in op.options_given:
        base, bracket, count = attr.type.partition("[")
        values = (*ATTRS.get(base, ()), *foreign.get(base, ()))
        if bracket:
            wrong = ([v] * int(count[:-1] or 1) for v in values)
            values = (*LISTS, *foreign["float"], *wrong)
        for value in values:
            if value is not None or not attr.nullable:
                yield attr.name, value


def wrong_inputs(op: Op, good: list[Any], foreign: Foreign) -> Iterator[tuple[str, list[Any]]]:
    """Yield the name of an input, and the inputs of a call in which this input has a wrong type."""
    scalars = numbers(op)
    for position, tensor in enumerate(op.inputs):
        for value in _wrong(op, tensor, tensor.name in scalars, good[position], foreign):
            yield tensor.name, [*good[:position], value, *good[position + 1 :]]


def _wrong(op: Op, tensor: Tensor, scalar: bool, good: Any, foreign: Foreign) -> tuple[Any, ...]:
    absent = (None,) if tensor.given else ()
    if not tensor.list:
        values = NUMBERS if scalar else ()
        other = () if _may_be_complex(op, tensor) else (1j, *foreign["complex"])
        return (*absent, *TENSORS, *other, *values, *foreign["seed" if tensor.seed else "tensor"])
    if good is None:
        return (*TENSORS, *foreign["list"])
    items = ([*good[:-1], wrong] for wrong in (None, "text", 1.5, [1.0], object()))
    lengths = (good[:-1], [*good, good[0]]) if _counted(op, tensor) else ()
    return (
        *absent,
        *TENSOR_LISTS[: None if tensor.always else 7],
        *items,
        *lengths,
        *foreign["list"],
    )


def _may_be_complex(op: Op, tensor: Tensor) -> bool:
    """Return whether a tensor may have a complex dtype."""
    named = [(op.dtype_var(name), name) for name in tensor.dtype.values()]
    choices = (d for var, name in named for d in (var.choices if var else (name,)))
    return any(DTYPES[d].kind == "complex" for d in choices if d in DTYPES)


def _counted(op: Op, tensor: Tensor) -> bool:
    """Return whether another list input of the op determines this list's length."""
    return sum(t.list == tensor.list for t in op.inputs) > 1


def refused(name: str, argument: str, call: Callable[[], Any]) -> None:
    """Assert that a call raises an error that names the op, the argument, and the wrong value."""
    try:
        call()
    except (TypeError, ValueError) as error:
        text = str(error)
        assert re.match(rf"{name}: .*expected .*, got ", text), text
        assert re.search(rf"\b{argument}\b", text), text
        assert ".cpp" not in text and "TensorSpec" not in text, text
    else:
        raise AssertionError(f"{name}: {argument}: it was taken")


def all_refused(
    op: Op,
    wrapper: Callable[..., Any],
    good: list[Any],
    attrs: Mapping[str, Any],
    foreign: Foreign,
    traced: Callable[[Mapping[str, Any]], Any],
) -> None:
    """Assert that each parameter rejects values of a wrong type.

    `good` and `attrs` are the inputs and attrs of a valid call. `traced` traces a call with other
    attrs.
    """
    for argument, inputs in wrong_inputs(op, good, foreign):
        refused(op.name, argument, lambda: wrapper(*inputs, **attrs))
    for argument, value in wrong_attrs(op, foreign):
        wrong = {**attrs, argument: value}
        refused(op.name, argument, lambda: wrapper(*good, **wrong))
        refused(op.name, argument, lambda: traced(wrong))
    for wanted in ("text", 5, None, ["none"]) if op.outputs_on_request else ():
        refused(op.name, "wanted", lambda: wrapper(*good, **attrs, wanted=wanted))


def right_attrs(op: Op, given: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield the name of each attr that is not a list, and its value in `given` or its default."""
    for attr in op.options_given:
        value = given.get(attr.name, attr.default)
        if value is not None and not isinstance(value, Expr) and "[" not in attr.type:
            yield attr.name, value if attr.type != "dtype" else Named(value)


class Named(str):
    """The name of a dtype in specs, as the value of an attr of type dtype."""


def alike(
    value: Any, scalar: Callable[[Any], Any], dtypes: Callable[[str], list[Any]]
) -> list[Any]:
    """Return values that equal `value` but have types of NumPy or of the framework.

    `scalar` converts a number to a scalar of the framework. `dtypes` returns a dtype's
    representations.
    """
    if isinstance(value, Named):
        return dtypes(str(value))
    if isinstance(value, str):
        return [np.str_(value)]
    if isinstance(value, bool):
        return [np.bool_(value), scalar(value)]
    if isinstance(value, int):
        return [np.int64(value), scalar(value)]
    number = np.complex128(value) if isinstance(value, complex) else np.float64(value)
    return [number, scalar(number)]
