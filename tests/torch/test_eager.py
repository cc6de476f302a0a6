"""The way into an op from Python: what it takes itself, and what it leaves to PyTorch."""

from __future__ import annotations

from importlib import import_module

import pytest
import torch
from torch.overrides import TorchFunctionMode

unit = import_module("generated.torch._runtime.eager")
eager = unit.eager
OPS = torch.ops.generated
X, W = torch.randn(3, 5), torch.randn(5)
PARAMETERS = [torch.randn(4), torch.randn(2, 3)]


class Left:
    """Stands for PyTorch's own callable, and keeps what is left to it."""

    def __init__(self) -> None:
        self.given = []

    def __call__(self, *args: object, **kwargs: object) -> object:
        self.given.append((args, kwargs))
        return "left"


def taken(name: str, overload: str = "") -> tuple[object, Left]:
    left = Left()
    return unit._make(f"generated::{name}".encode(), overload.encode(), left), left


PLAIN = {
    "a tensor": ("relu", (X,)),
    "a parameter": ("relu", (torch.nn.Parameter(X),)),
    "numbers": ("rms_norm", (X, W, 1e-5)),
    "an int for a float": ("rms_norm", (X, W, 1)),
    "none, and a list": ("layer_norm", (X, None, None, [5], 1e-5)),
    "a tuple": ("layer_norm", (X, W, W, (5,), 1e-5)),
    "a torch.Size": ("layer_norm", (X, W, W, W.shape, 1e-5)),
    "a string": (
        "cross_entropy",
        (X, torch.tensor([0, 4, 1]), -100, 0.0, "mean"),
    ),
    "a flag": (
        "rotary",
        (
            torch.randn(1, 2, 1, 4),
            torch.tensor([0, 1]),
            torch.randn(2, 4),
            None,
            "half",
            True,
        ),
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
        return [
            copies,
            PARAMETERS,
            zeros,
            [z.clone() for z in zeros],
            torch.tensor(0.0),
        ]

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


NOT_PLAIN = {
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


def test_errors_are_those_of_pytorch() -> None:
    ints = torch.ones(3, dtype=torch.int32)
    call, left = taken("relu")
    for of in (call, OPS.relu.default):
        with pytest.raises(ValueError, match="^relu: x: expected dtype bf16"):
            of(ints)
    assert left.given == []


def test_errors_from_within_pytorch_are_its_own() -> None:
    call, left = taken("relu")
    meta = X.to("meta").requires_grad_()
    with torch.autograd.forward_ad.dual_level():
        dual = torch.autograd.forward_ad.make_dual(X, X)
        for of in (call, OPS.relu.default):
            with pytest.raises(NotImplementedError, match="forward-mode"):
                of(dual)
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
    assert unit._make(b"aten::item", b"", general) is general


def test_another_python_has_the_way_of_pytorch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unit, "EXTENSION_SUFFIXES", [".cpython-999-x.so"])
    assert unit._load() is None
    monkeypatch.setattr(unit, "_make", None)
    assert eager(OPS.relu.default) is OPS.relu.default._op
