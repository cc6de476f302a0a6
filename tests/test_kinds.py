"""Values that the runtime's type checker accepts, and its messages for others."""

import enum
import fractions

import numpy as np
import pytest

from generated._opgen.core.kinds import as_kind, is_list
from generated.core import TensorSpec, adamw_

Axis = enum.IntEnum("Axis", {"rows": 0})
Mode = enum.StrEnum("Mode", {"mean": "mean"})


class Tracked:
    """A tensor without dims; conversion to a number would lose its gradient."""

    dtype, ndim, requires_grad = "torch.float32", 0, True

    def __float__(self) -> float:
        return 1.0


@pytest.mark.parametrize(
    ("kind", "value", "wanted"),
    [
        ("float", 1, 1.0),
        ("float", np.float32(0.5), 0.5),
        ("float", np.int8(3), 3.0),
        ("float", np.array(0.5), 0.5),
        ("float", fractions.Fraction(1, 2), 0.5),
        ("int", np.uint8(3), 3),
        ("int", Axis.rows, 0),
        ("int", 2**63 - 1, 2**63 - 1),
        ("int", -(2**63), -(2**63)),
        ("bool", np.bool_(True), True),
        ("bool", np.array(False), False),
        ("str", np.str_("mean"), "mean"),
        ("str", Mode.mean, "mean"),
        ("dtype", "bf16", "bf16"),
        ("int?", None, None),
        ("int[]", range(2), (0, 1)),
        ("int[2]", [np.int64(1), 2], (1, 2)),
        ("float[]", (1, 2.5), (1.0, 2.5)),
    ],
)
def test_taken(kind, value, wanted):
    got = as_kind("op", "a", value, kind)
    assert got == wanted and type(got) is type(wanted)


@pytest.mark.parametrize(
    ("kind", "value", "message"),
    [
        ("float", True, "a: expected a number, got a bool"),
        ("float", 1j, "a: expected a number, got a complex"),
        ("float", float, "a: expected a number, got the type float"),
        ("float", np.complex64(1), "a: expected a number, got a numpy.complex64"),
        ("float", None, "a: expected a number, got None"),
        ("float", Tracked(), r"a: expected a number, got a \S*Tracked"),
        ("float", 10**400, "a: expected a number that a double holds, got an int"),
        ("int", 1.0, "a: expected an integer, got a float"),
        ("int", np.float64(1), "a: expected an integer, got a numpy.float64"),
        ("int", 2**63, "a: expected an integer of 64 bits, got 9223372036854775808"),
        ("bool", 1, "a: expected a bool, got an int"),
        ("bool", np.int64(1), "a: expected a bool, got a numpy.int64"),
        ("str", b"mean", "a: expected a string, got a bytes"),
        ("dtype", "float32", "a: expected a dtype, got 'float32'"),
        ("dtype", [], "a: expected a dtype, got a list"),
        ("int[]", "12", "a: expected a list of int, got a str"),
        ("int[]", {1, 2}, "a: expected a list of int, got a set"),
        ("int[]", [1, True], r"a\[1\]: expected an integer, got a bool"),
        ("int[2]", [1], "a: expected 2 values, got 1"),
    ],
)
def test_refused(kind, value, message):
    with pytest.raises((TypeError, ValueError), match=f"^op: {message}"):
        as_kind("op", "a", value, kind)


def test_lists_of_tensors():
    spec = TensorSpec((3,), "f32")
    assert is_list([spec]) and is_list((spec,)) and is_list(range(2))
    for value in ("text", b"text", {"a": 1}, spec, iter([]), np.ones(3), 1, None, np.dtype("f4")):
        assert not is_list(value), value


@pytest.mark.parametrize(
    ("place", "value", "message"),
    [
        (1, [None, TensorSpec((3,), "f32")], r"grads\[0\]: expected a tensor, got None"),
        (1, [TensorSpec((3,), "f32")], "grads: expected 2 tensors, n of params, got 1"),
        (1, [TensorSpec((3,), "f32")] * 3, "grads: expected 2 tensors, n of params, got 3"),
        (6, {}, "max_exp_avg_sqs: expected None unless amsgrad, got"),
        (6, "", "max_exp_avg_sqs: expected None unless amsgrad, got"),
    ],
)
def test_lists_that_do_not_fit(place, value, message):
    step = TensorSpec((), "f32")
    given = [*([TensorSpec((3,), "f32")] * 2 for _ in range(4)), step, step, None]
    given[place] = value
    with pytest.raises((TypeError, ValueError), match=f"^adamw_: {message}"):
        adamw_.infer(*given)
