"""`out=` writes results to the caller's tensors."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

import pytest
import torch

from generated.torch import relu
from opgen.compiler.pipeline import load
from opgen.ir.op import Op
from opgen.spec.config import Config
from opgen.targets.torch.schema import out_schema

OUT = torch.ops.generated.relu.out
SPEC = Path(__file__).parents[1] / "lint" / "OG615" / "good.toml"


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_a_tensor_is_written_and_returned(dtype):
    x = torch.randn(3, 5).to(dtype)
    out = torch.full((3, 5), 7.0, dtype=dtype)
    kept, version = out.data_ptr(), out._version
    assert relu(x, out=out) is out
    assert torch.equal(out, torch.relu(x))
    assert out.data_ptr() == kept and out._version > version


def test_a_tensor_with_gaps_is_filled_and_the_gaps_are_not():
    x, wide = torch.randn(4, 6), torch.full((4, 12), 7.0)
    relu(x, out=wide[:, ::2])
    assert torch.equal(wide[:, ::2], torch.relu(x)) and (wide[:, 1::2] == 7).all()
    turned = torch.empty(6, 4).mT
    assert torch.equal(relu(x, out=turned), torch.relu(x)) and turned.stride() == (1, 4)


def test_a_tensor_without_elements_gets_the_shape():
    x, out = torch.randn(4, 6), torch.empty(0)
    assert relu(x, out=out) is out and torch.equal(out, torch.relu(x))
    assert relu(torch.empty(0, 3), out=torch.empty(5, 0)).shape == (0, 3)


WRONG = {
    "shape": (torch.empty(3), ValueError, r"relu: out: expected shape \(4, 6\), got \(3,\)"),
    "dtype": (
        torch.empty(4, 6).double(),
        TypeError,
        "relu: out: expected dtype torch.float32, got torch.float64",
    ),
    "device": (
        torch.empty(4, 6, device="meta"),
        ValueError,
        "relu: out: expected a tensor on cpu, got one on meta",
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_another_shape_dtype_or_device_is_an_error(case):
    out, error, words = WRONG[case]
    with pytest.raises(error, match=words):
        relu(torch.randn(4, 6), out=out)


def test_the_result_may_not_share_memory_with_an_input():
    x = torch.randn(8)
    with pytest.raises(ValueError, match="relu: out: shares memory with x"):
        relu(x[:6], out=x[2:])
    relu(x[:4], out=x[4:])
    assert torch.equal(x[4:], torch.relu(x[:4]))


@pytest.mark.parametrize("outs", [[], [torch.empty(3), torch.empty(3)]], ids=len)
def test_there_is_a_tensor_for_each_result(outs):
    words = f"relu: out: expected a tensor for each result, 1, got {len(outs)}"
    with pytest.raises(ValueError, match=words):
        relu(torch.randn(3), out=outs)
    out = torch.empty(3)
    assert relu(torch.ones(3), out=[out]) == [out] and out.sum() == 3


class Named(torch.Tensor):
    """Records the names of the functions that are called with it."""

    called: ClassVar[list[str]] = []

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        cls.called.append(str(func))
        return super().__torch_function__(func, types, args, kwargs or {})


def test_a_subclass_sees_the_overload():
    x, out = torch.randn(3), torch.empty(3).as_subclass(Named)
    Named.called.clear()
    relu(x, out=out)
    assert "generated.relu.out" in Named.called
    assert torch.equal(out.as_subclass(torch.Tensor), torch.relu(x))


def test_a_wrong_input_is_explained_as_without_out():
    with pytest.raises(TypeError, match="relu: x: .*c64"):
        relu(torch.randn(3).to(torch.complex64), out=torch.empty(3))


def test_there_is_no_gradient():
    x = torch.randn(3, requires_grad=True)
    with pytest.raises(RuntimeError, match="relu.out: x requires a gradient"):
        relu(x, out=torch.empty(3))
    with torch.no_grad():
        assert not relu(x, out=torch.empty(3)).requires_grad


def test_a_saved_tensor_that_is_written_to_is_noticed():
    x = torch.randn(3, requires_grad=True)
    y = x * 1
    z = (y * y).sum()
    relu(torch.randn(3), out=y.detach())
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        z.backward()


def test_it_compiles_whole():
    @torch.compile(fullgraph=True, dynamic=True, backend="aot_eager")
    def step(x, out):
        y = relu(x * 2, out=out)
        return y + 1

    for rows in (3, 5):
        x, out = torch.randn(rows, 4), torch.empty(rows, 4)
        assert torch.equal(step(x, out), torch.relu(x * 2) + 1)
        assert torch.equal(out, torch.relu(x * 2))


def test_opcheck():
    for x in (torch.randn(3, 4), torch.randn(4, 3).mT, torch.empty(0, 4)):
        torch.library.opcheck(OUT, (x,), {"out": torch.empty(x.shape)})


def test_several_outputs_are_given_by_their_names():
    project, found, _ = load([SPEC], Config(Path(".")))
    assert not found
    op: Op = project.ops[0]
    assert out_schema(op) == "f.out(Tensor x, *, Tensor(b!) y, Tensor(c!) z) -> ()"
