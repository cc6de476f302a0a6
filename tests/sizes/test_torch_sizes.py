"""Sizes that a Python function computes, in PyTorch."""

from __future__ import annotations

import pytest
import torch
from torch._dynamo.testing import CompileCounterWithBackend

DTYPES = (torch.float32, torch.float64, torch.bfloat16)
# By a length, and whether the result must be even: the next length without prime factors above 5.
LENGTHS = {
    (7, False): 8,
    (31, False): 32,
    (33, False): 36,
    (41, True): 48,
    (1, True): 2,
    (45, False): 45,
}


def expected(x, m, window=None):
    y = torch.nn.functional.pad(x, (0, m - x.shape[-1]))
    return y if window is None else y * window


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("given", LENGTHS)
def test_a_call(torch_ops, dtype, given):
    (n, even), m = given, LENGTHS[given]
    x, window = torch.randn(3, 2, n).to(dtype), torch.randn(m).to(dtype)
    torch.testing.assert_close(torch_ops.pad(x, even=even), expected(x, m))
    y = torch_ops.pad(x, window, even=even)
    torch.testing.assert_close(y, expected(x, m, window))


def test_no_caller_gives_the_size(torch_ops):
    with pytest.raises(TypeError, match="unexpected keyword argument 'm'"):
        torch_ops.pad(torch.ones(7), m=8)


def test_the_size_is_an_argument_of_the_raw_op(torch_ops):
    x = torch.randn(2, 7)
    op = torch.ops.padded.pad.default
    assert "SymInt m, bool even" in str(op._schema)
    torch.testing.assert_close(op(x, None, 8, False), expected(x, 8))
    torch.library.opcheck(op, (x.requires_grad_(), None, 8, False))
    with pytest.raises(ValueError, match="pad: m: expected at least 0, got -1"):
        op(x.detach(), None, -1, False)


def test_an_input_of_that_size_is_checked(torch_ops):
    with pytest.raises(ValueError, match=r"pad: window: expected shape \(8,\).*\(7,\)"):
        torch_ops.pad(torch.ones(2, 7), torch.ones(7))


def test_a_wrong_call_is_told_in_the_words_of_the_op(torch_ops):
    with pytest.raises(TypeError, match="pad: x: expected dtype"):
        torch_ops.pad(torch.ones(7, dtype=torch.int32))
    with pytest.raises(TypeError, match="pad: x: expected at least 1 dims"):
        torch_ops.pad(torch.tensor(1.0))


@pytest.mark.parametrize("dynamic", [False, True])
def test_compiled(torch_ops, dynamic):
    torch.compiler.reset()  # a program for each length, because its function branches on it
    compiled = torch.compile(torch_ops.pad, fullgraph=True, dynamic=dynamic, backend="aot_eager")
    for (n, even), m in LENGTHS.items():
        x = torch.randn(2, n, requires_grad=True)
        y = compiled(x, even=even)
        torch.testing.assert_close(y, expected(x, m))
        dy = torch.randn_like(y)
        (dx,) = torch.autograd.grad(y, x, dy)
        torch.testing.assert_close(dx, dy[..., :n])


def test_a_function_without_branches_takes_symbolic_sizes(torch_ops):
    counter = CompileCounterWithBackend("aot_eager")
    compiled = torch.compile(torch_ops.pad_to_four, fullgraph=True, dynamic=True, backend=counter)
    for n in (6, 7, 13, 30):
        x = torch.randn(3, n)
        torch.testing.assert_close(compiled(x), expected(x, -(-n // 4) * 4))
    assert counter.frame_count == 1


def test_compiled_by_inductor(torch_ops):
    compiled = torch.compile(lambda x: torch_ops.pad(2 * x) + 1, fullgraph=True)
    x = torch.randn(3, 7)
    torch.testing.assert_close(compiled(x), expected(2 * x, 8) + 1)


def test_fake_tensors(torch_ops):
    from torch._subclasses.fake_tensor import FakeTensorMode

    with FakeTensorMode():
        assert torch_ops.pad(torch.empty(4, 33)).shape == (4, 36)


def test_exported(torch_ops):
    class Padded(torch.nn.Module):
        def forward(self, x):
            return torch_ops.pad(x)

    x = torch.randn(3, 7)
    batch = torch.export.Dim("batch", min=2)
    program = torch.export.export(Padded(), (x,), dynamic_shapes=({0: batch},))
    other = torch.randn(5, 7)
    torch.testing.assert_close(program.module()(other), expected(other, 8))


def test_gradients(torch_ops):
    x = torch.randn(2, 7, dtype=torch.float64, requires_grad=True)
    window = torch.randn(8, dtype=torch.float64)
    assert torch.autograd.gradcheck(lambda x: torch_ops.pad(x, window), x)
    assert torch.autograd.gradgradcheck(lambda x: torch_ops.pad(x, window), x)


def test_vmap(torch_ops):
    x = torch.randn(2, 4, 3, 33)
    y = torch.func.vmap(torch_ops.pad, in_dims=1)(x)
    torch.testing.assert_close(y, expected(x.transpose(0, 1), 36))
    grad = torch.func.vmap(torch.func.grad(lambda x: (torch_ops.pad(x) ** 2).sum()))(x)
    torch.testing.assert_close(grad, 2 * x)


def framed(edge, x, both):
    m = -(-x.shape[-1] // 4) * 4
    return expected(x, m, both[:m] + both[m:]), edge[m:]


def frame(n, dtype):
    m = -(-n // 4) * 4
    return (torch.randn(*s).to(dtype) for s in ((m + 3,), (2, n), (2 * m,)))


@pytest.mark.parametrize("dtype", DTYPES)
def test_a_size_inside_terms(torch_ops, dtype):
    compiled = torch.compile(torch_ops.framed, fullgraph=True, dynamic=True, backend="aot_eager")
    for n in (1, 7, 8, 30):
        edge, x, both = frame(n, dtype)
        given, named = (edge.requires_grad_(), x.requires_grad_()), (edge.double(), x.double())
        y, rest = framed(*named, both.double())
        cotangents = torch.randn_like(y).to(dtype), torch.randn_like(rest).to(dtype)
        wanted = torch.autograd.grad((y, rest), given, tuple(c.double() for c in cotangents))
        for call in (torch_ops.framed, compiled):
            results = call(edge, x, both)
            found = torch.autograd.grad(results, given, cotangents)
            for a, b in zip((*results, *found), (y, rest, *wanted), strict=True):
                torch.testing.assert_close(a.double(), b.double(), rtol=2e-2, atol=2e-2)
    with pytest.raises(ValueError, match=r"framed: edge: .* `k \+ m` .*, got 5"):
        torch_ops.framed(torch.ones(5), torch.ones(2, 7), torch.ones(16))
    with pytest.raises(ValueError, match=r"framed: both: expected shape \(16,\)"):
        torch_ops.framed(torch.ones(9), torch.ones(2, 7), torch.ones(14))


def test_a_size_of_a_backward(torch_ops):
    _, x, both = frame(7, torch.float64)
    dx, dedge = torch_ops.framed_bwd(torch.ones(2, 8).double(), torch.ones(3).double(), both, n=7)
    assert dx.shape == x.shape and dedge.shape == (11,)


def test_a_size_with_out(torch_ops):
    edge, x, both = frame(7, torch.float32)
    out = torch.empty(2, 8), torch.empty(0)
    assert torch_ops.framed(edge, x, both, out=out) is out
    for found, wanted in zip(out, framed(edge, x, both), strict=True):
        torch.testing.assert_close(found, wanted)
    with pytest.raises(ValueError, match=r"framed: y: expected shape \(2, 8\), got \(2, 7\)"):
        torch_ops.framed(edge, x, both, out=(torch.empty(2, 7), torch.empty(3)))
