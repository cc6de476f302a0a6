"""The fast path from Python into an op: calls that it handles, and calls that it leaves to PyTorch."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
import weakref
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from importlib import import_module

import numpy as np
import pytest
import torch
from torch.autograd.forward_ad import dual_level, make_dual, unpack_dual
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode

unit = import_module("generated._opgen.torch.eager")
eager = unit.eager
OPS = torch.ops.generated
X, W = torch.randn(3, 5), torch.randn(5)
CONVOLVED, REST = (torch.ones(1, 1, 3, 3),) * 2 + (None,), ([0, 0], [1, 1], 1)
PARAMETERS = [torch.randn(4), torch.randn(2, 3)]


class Left:
    """Stands for PyTorch's own callable of an op, and records the calls that reach it."""

    def __init__(self) -> None:
        self.given = []

    def __call__(self, *args: object, **kwargs: object) -> object:
        self.given.append((args, kwargs))
        return "left"


def taken(name: str, overload: str = "") -> tuple[object, Left]:
    left = Left()
    names = f"generated::{name}".encode(), overload.encode()
    return unit._make(*names, left, unit._find()), left


PLAIN = {
    "a tensor": ("relu", (X,)),
    "a parameter": ("relu", (torch.nn.Parameter(X),)),
    "numbers": ("rms_norm", (X, W, 1e-5)),
    "an int for a float": ("rms_norm", (X, W, 1)),
    "none, and a list": ("layer_norm", (X, None, None, [5], 1e-5)),
    "a tuple": ("layer_norm", (X, W, W, (5,), 1e-5)),
    "a torch.Size": ("layer_norm", (X, W, W, W.shape, 1e-5)),
    "a string": ("cross_entropy", (X, torch.tensor([0, 4, 1]), -100, 0.0, "mean")),
    "a flag": (
        "rotary",
        (torch.randn(1, 2, 1, 4), torch.tensor([0, 1]), torch.randn(2, 4), None, "half", True),
    ),
    "an int": ("embedding", (X, torch.tensor([[2, 0]]), -1)),
}


@pytest.mark.parametrize(("name", "args"), PLAIN.values(), ids=PLAIN)
def test_plain_calls_give_what_pytorch_gives(name: str, args: tuple) -> None:
    call, left = taken(name)
    found, expected = call(*args), getattr(OPS, name).default(*args)
    assert left.given == []
    assert type(found) is type(expected)
    if isinstance(found, torch.Tensor):
        found, expected = (found,), (expected,)
    for own, other in zip(found, expected, strict=True):
        if other is None:
            assert own is None
            continue
        torch.testing.assert_close(own, other, rtol=0, atol=0)
        assert own.requires_grad == other.requires_grad


def test_lists_of_tensors_are_updated() -> None:
    def state() -> list:
        zeros = [torch.zeros_like(p) for p in PARAMETERS]
        copies = [p.clone() for p in PARAMETERS]
        return [copies, PARAMETERS, zeros, [z.clone() for z in zeros], torch.tensor(0.0)]

    numbers = (torch.tensor(0.1), [], 0.9, 0.999, 1e-8, 0.01, False, False)
    call, left = taken("adamw_")
    own, other = state(), state()
    assert call(*own, *numbers) is None
    assert OPS.adamw_.default(*other, *numbers) is None
    assert left.given == []
    assert float(own[4]) == 1
    for mine, theirs in zip(own[0] + own[2] + own[3], other[0] + other[2] + other[3]):
        torch.testing.assert_close(mine, theirs, rtol=0, atol=0)


def test_a_result_that_nobody_wants_is_none() -> None:
    y, mean, rstd = OPS.layer_norm(X, W, None, [5], 1e-5)
    call, left = taken("layer_norm_bwd")
    dx, dweight, dbias = call(X, X, mean, rstd, W, 1e-5, 0b001)
    assert left.given == []
    assert dx.shape == X.shape
    assert (dweight, dbias) == (None, None)


class Subclass(torch.Tensor):
    pass


class Made(tuple):
    """A tuple with different items at each iteration."""

    def __iter__(self) -> Iterator:
        return iter([5])


NOT_PLAIN = {
    "a tuple of another class": ("layer_norm", (X, W, W, Made([5]), 1e-5)),
    "a subclass": ("relu", (X.as_subclass(Subclass),)),
    "no tensor": ("relu", (3,)),
    "none where a tensor must be": ("relu", (None,)),
    "too few": ("rms_norm", (X, W)),
    "too many": ("relu", (X, X)),
    "a flag for a float": ("rms_norm", (X, W, True)),
    "an int for a float beyond 64 bits": ("rms_norm", (X, W, 2**64)),
    "a flag for an int": ("embedding", (X, torch.tensor([0]), True)),
    "an int beyond 64 bits": ("embedding", (X, torch.tensor([0]), 2**63)),
    "an iterator for a list": ("layer_norm", (X, W, W, iter([5]), 1e-5)),
    "a float in a list": ("layer_norm", (X, W, W, [5.0], 1e-5)),
    "a name that is no text": ("cross_entropy", (X, W, -100, 0.0, "\udc80")),
}


@pytest.mark.parametrize(("name", "args"), NOT_PLAIN.values(), ids=NOT_PLAIN)
def test_other_calls_are_left_to_pytorch(name: str, args: tuple) -> None:
    call, left = taken(name)
    assert call(*args) == "left"
    ((given, by_name),) = left.given
    assert all(own is other for own, other in zip(given, args, strict=True))
    assert by_name == {}


def test_names_are_left_to_pytorch() -> None:
    call, left = taken("rms_norm")
    assert call(X, W, eps=1e-5) == "left"
    assert left.given == [((X, W), {"eps": 1e-5})]


def test_modes_are_left_to_pytorch() -> None:
    class Mode(TorchFunctionMode):
        def __torch_function__(self, function, types, args=(), kwargs=None):
            return "seen"

    call, left = taken("relu")
    with Mode():
        assert call(X) == "left"
        assert eager(OPS.relu.default)(X) == "seen"
    assert len(left.given) == 1


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_tracing_sees_the_op() -> None:
    call, left = taken("relu")
    traced = torch.jit.trace(lambda x: call(x), X)
    assert "generated::relu" in str(traced.graph)
    assert left.given == []


@pytest.mark.parametrize(
    ("name", "args", "message"),
    [
        ("relu", (torch.ones(3, dtype=torch.int64),), "x: expected dtype bf16"),
        ("conv2d", (*CONVOLVED, [], *REST), r"stride: expected 2 values, got 0: \(\)"),
        ("conv2d", (*CONVOLVED, [2], *REST), r"stride: expected 2 values, got 1: \(2,\)"),
        ("conv2d", (*CONVOLVED, [1] * 3, *REST), r"stride: expected 2 .* got 3: \(1, 1, 1\)"),
    ],
)
def test_errors_are_those_of_pytorch(name: str, args: tuple, message: str) -> None:
    call, left = taken(name)
    for of in (call, getattr(OPS, name).default):
        with pytest.raises(ValueError, match=f"^{name}: {message}"):
            of(*args)
    assert left.given == []


def test_what_is_no_tensor_is_not_shown() -> None:
    """An argument that is not a tensor is not printed.

    PyTorch prints arguments that it rejects, and printing a freed tensor crashes.
    """
    freed = torch.randn(3)
    freed.untyped_storage().resize_(0)

    class Silent:
        def __repr__(self) -> str:
            raise AssertionError("printed")

    functions = import_module("generated.torch")
    lists = [[torch.ones(3)] for _ in range(4)]
    for value in ([freed], Silent(), np.dtype("f4"), np.ones(3), None, "x"):
        with pytest.raises(TypeError, match="^relu: x: expected a tensor, got "):
            functions.relu(value)
        with pytest.raises(TypeError, match="^cross_entropy: labels: expected a tensor, got "):
            functions.cross_entropy(X, value)
        with pytest.raises(TypeError, match=r"^adamw_: params\[1\]: expected a tensor, got "):
            functions.adamw_([torch.ones(3), value], *lists[1:], torch.tensor(0.0), 1e-3)


def test_errors_from_within_pytorch_are_its_own() -> None:
    call, left = taken("relu")
    meta = X.to("meta").requires_grad_()
    step, _ = taken("quantize_fp8")
    with dual_level():
        for of in (step, OPS.quantize_fp8.default):
            with pytest.raises(NotImplementedError, match='has no derivative: .* grad = "none"'):
                of(dual(X), torch.float8_e4m3fn, 4, False, 0.0)
    assert call(meta).device.type == "meta"
    assert left.given == []


def test_gradients_flow() -> None:
    call, left = taken("relu")
    x = torch.tensor([-1.0, 2.0], requires_grad=True)
    call(x).sum().backward()
    assert left.given == []
    assert x.grad.tolist() == [0, 1]


def test_results_that_are_no_tensors_are_left_to_pytorch() -> None:
    general = torch.ops.aten.item.default._op
    assert unit._make(b"aten::item", b"", general, unit._find()) is general


def test_another_python_has_the_way_of_pytorch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unit, "EXTENSION_SUFFIXES", [".cpython-999-x.so"])
    assert unit._load() is None
    monkeypatch.setattr(unit, "_make", None)
    assert torch.equal(eager(OPS.relu.default)(X), X.relu())
    out = torch.empty_like(X)
    eager(OPS.relu.out)(X, out)  # by position nevertheless
    assert torch.equal(out, X.relu())


FIND = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int)
FUNCTION = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.POINTER(ctypes.c_void_p))


class Direct:
    """Stands for the direct call of an op without the dispatcher. It only counts the calls."""

    def __init__(self) -> None:
        self.calls = 0
        self.asked = []
        self.function = FUNCTION(self.run)
        self.find = FIND(self.look)

    def run(self, arguments: int, results: object) -> None:
        self.calls += 1

    def look(self, name: bytes, platform: int) -> int | None:
        self.asked.append((name, platform))
        return ctypes.cast(self.function, ctypes.c_void_p).value

    def op(self, name: str) -> Callable:
        find = ctypes.cast(self.find, ctypes.c_void_p)
        general = getattr(OPS, name).default._op
        return unit._make(f"generated::{name}".encode(), b"", general, find)


class Watched(TorchDispatchMode):
    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        return function(*args, **(kwargs or {}))


def inference_tensor() -> torch.Tensor:
    with torch.inference_mode():
        return X.clone()


def dual(tensor: torch.Tensor) -> torch.Tensor:
    return make_dual(tensor, tensor)


GRADIENT = X.clone().requires_grad_()
NOWHERE: Callable[[], AbstractContextManager] = nullcontext
PAST = {
    "nothing is on": (NOWHERE, X),
    "no gradient is recorded": (torch.no_grad, GRADIENT),
    "inference": (torch.inference_mode, X),
    "inference of what takes gradients": (torch.inference_mode, GRADIENT),
    "a tensor of inference": (NOWHERE, inference_tensor()),
    "autocast is off": (lambda: torch.autocast("cpu", enabled=False), X),
}


@pytest.mark.parametrize(("context", "x"), PAST.values(), ids=PAST)
def test_where_nothing_is_to_be_done_the_dispatcher_is_passed(
    context: Callable, x: torch.Tensor
) -> None:
    direct = Direct()
    call = direct.op("relu")
    assert direct.asked == [(b"relu", 0), (b"relu", 1)]
    with context():
        assert call(x) is None
    assert direct.calls == 1


def test_the_dispatcher_is_passed_where_a_result_is_written() -> None:
    direct, out = Direct(), torch.zeros_like(X)
    find = ctypes.cast(direct.find, ctypes.c_void_p)
    call = unit._make(b"generated::relu", b"out", Left(), find)
    assert direct.asked == [(b"relu.out", 0), (b"relu.out", 1)]
    assert call(X, out) is None
    assert (direct.calls, out._version) == (1, 1)
    with pytest.raises(RuntimeError, match="x requires a gradient"):
        call(GRADIENT, out)
    assert direct.calls == 1


NOT_PAST = {
    "a gradient": (NOWHERE, lambda: GRADIENT),
    "a dispatch mode": (Watched, lambda: X),
    "a profiler": (torch.profiler.profile, lambda: X),
    "autocast": (lambda: torch.autocast("cpu"), lambda: X),
    "another device": (NOWHERE, lambda: X.to("meta")),
    "the negative of a view": (NOWHERE, lambda: torch._neg_view(X)),
}


@pytest.mark.parametrize(("context", "x"), NOT_PAST.values(), ids=NOT_PAST)
def test_all_else_goes_through_the_dispatcher(context: Callable, x: Callable) -> None:
    direct = Direct()
    call, given = direct.op("relu"), x()
    with context():
        found, expected = call(given), OPS.relu.default(given)
    assert direct.calls == 0
    assert found.requires_grad == expected.requires_grad
    if not given.is_meta:
        torch.testing.assert_close(found, expected, rtol=0, atol=0)


REGISTERED_OVER = """
import warnings
import torch
from generated.torch import relu

library = torch.library.Library("generated", "IMPL")
with warnings.catch_warnings(action="ignore"):
    library.impl("relu", lambda x: x + 1, "CPU", allow_override=True)
print(relu(torch.zeros(1)).item())
"""


@pytest.mark.parametrize(("direct", "found"), [("0", "1.0"), ("1", "0.0")])
def test_the_way_past_the_dispatcher_can_be_switched_off(direct: str, found: str) -> None:
    """Direct calls without the dispatcher can be switched off by `OPGEN_DIRECT`.

    Every call then uses a kernel that somebody registers over an op.
    """
    environment = {**os.environ, "OPGEN_DIRECT": direct}
    command = [sys.executable, "-c", REGISTERED_OVER]
    run = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert run.stdout.strip() == found, run.stderr


def test_transforms_go_through_the_dispatcher() -> None:
    direct = Direct()
    call = direct.op("relu")
    torch.testing.assert_close(torch.vmap(lambda x: call(x))(X), X.relu())
    grad = torch.func.grad(lambda x: call(x).sum())(X)
    torch.testing.assert_close(grad, (X > 0).float())
    with dual_level():
        torch.testing.assert_close(unpack_dual(call(dual(X))).tangent, X.relu())
    assert direct.calls == 0


def test_tensors_of_several_devices_are_refused_by_the_dispatcher() -> None:
    direct = Direct()
    call = direct.op("tensor_add")
    with pytest.raises((RuntimeError, ValueError)):
        call(X, X.to("meta"))
    assert direct.calls == 0


def test_a_profiler_sees_the_op() -> None:
    call, _ = taken("relu")
    with torch.profiler.profile() as profiler:
        call(X)
    assert "generated::relu" in {event.name for event in profiler.events()}


@pytest.mark.parametrize("context", [nullcontext, torch.no_grad, torch.inference_mode])
def test_updates_are_counted(context: Callable) -> None:
    call, left = taken("fused_add_rms_norm")
    for of in (call, OPS.fused_add_rms_norm.default):
        x, residual = X.clone(), X.clone()
        with context():
            of(x, residual, W, 1e-5)
        assert (x._version, residual._version) == (0, 1)
        torch.testing.assert_close(residual, X + X)
    assert left.given == []


def test_a_tensor_of_inference_is_updated_in_inference_only() -> None:
    residual = inference_tensor()
    call, _ = taken("fused_add_rms_norm")
    with torch.inference_mode():
        call(X, residual, W, 1e-5)
    with pytest.raises(RuntimeError, match="outside InferenceMode"):
        call(X, residual, W, 1e-5)


def test_a_list_may_change_while_the_op_runs() -> None:
    parameters = [torch.randn(3000) for _ in range(4)]
    zeros = [[torch.zeros(3000) for _ in range(4)] for _ in range(3)]
    alive = [weakref.ref(p) for p in parameters]
    found = []

    def run(arguments: int, results: object) -> None:
        parameters.clear()
        found.extend(ref() is not None for ref in alive)

    direct = Direct()
    direct.function = FUNCTION(run)
    numbers = (0.9, 0.999, 1e-8, 0.0, False, False)
    direct.op("adamw_")(parameters, *zeros, torch.tensor(0.0), torch.tensor(0.1), [], *numbers)
    assert found == [True] * 4
    assert [ref() for ref in alive] == [None] * 4


LARGE = (100, 300)
SWAPPED = {
    "a tensor": ("relu", LARGE, lambda x: (x,)),
    "of a list": (
        "adamw_",
        LARGE,
        lambda x: (
            *([x.clone()], [x], [x.clone()], [x.clone()], torch.tensor(0.0)),
            *(torch.tensor(0.1), [], 0.9, 0.999, 1e-8, 0.0, False, False),
        ),
    ),
    "of a small call that gives results": ("relu", (3, 5), lambda x: (x,)),
}


@pytest.mark.parametrize(("name", "shape", "args"), SWAPPED.values(), ids=SWAPPED)
def test_a_tensor_stays_that_of_its_object_while_the_op_runs(
    name: str, shape: tuple, args: Callable
) -> None:
    x, refused = torch.randn(shape), []

    def run(arguments: int, results: object) -> None:
        with pytest.raises(RuntimeError, match="use_count|gradient edge") as info:
            torch.utils.swap_tensors(x, torch.zeros(1))
        refused.append(info)

    direct = Direct()
    direct.function = FUNCTION(run)
    call, given = direct.op(name), args(x)
    call(*given)
    assert len(refused) == 1
    del given
    torch.utils.swap_tensors(x, torch.zeros(1))  # no memory is held any more
    assert x.shape == (1,)


@pytest.mark.parametrize("overloads", [["f"], ["f", "f.reference"]])
def test_a_small_update_that_runs_no_python_borrows_its_tensors(overloads: list) -> None:
    name = f"small_update_{len(overloads)}"
    library = torch.library.Library(name, "DEF")
    for overload in overloads:
        library.define(f"{overload}(Tensor(a!) x) -> ()")
    x, counts = torch.randn(3), []

    def run(arguments: int, results: object) -> None:
        counts.append(x._use_count())

    direct = Direct()
    direct.function = FUNCTION(run)
    find = ctypes.cast(direct.find, ctypes.c_void_p)
    assert unit._make(f"{name}::f".encode(), b"", Left(), find)(x) is None
    assert counts == [len(overloads)]
