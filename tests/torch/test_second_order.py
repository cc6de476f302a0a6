"""Second derivatives of attention and convolution, in all four orders, compared with PyTorch's own."""

import itertools

import pytest
import torch
import torch.nn.functional as F
from torch.func import grad, jacfwd, jacrev

import generated.torch as G

WAYS = {"forward": jacfwd, "reverse": jacrev}


def _attention():
    ends = torch.tensor([0, 3], dtype=torch.int32)
    k, v = (torch.randn(3, 1, 4, dtype=torch.float64) for _ in range(2))

    def ours(q):
        return G.varlen_attention(q, k, v * q.mean(), ends, ends, causal=True)

    def theirs(q):
        rows = [x.transpose(0, 1) for x in (q, k, v * q.mean())]
        scores = rows[0] @ rows[1].mT * 0.5 + torch.full((3, 3), -torch.inf).triu(1)
        return (scores.softmax(-1) @ rows[2]).transpose(0, 1)

    return ours, theirs, torch.randn(3, 1, 4, dtype=torch.float64)


def _convolution():
    x = torch.randn(1, 2, 4, 4, dtype=torch.float64)

    def made(conv):
        return lambda weight: conv(x * weight.sum(), weight, weight[:, 0, 0, 0])

    return made(G.conv2d), made(F.conv2d), torch.randn(2, 2, 2, 2, dtype=torch.float64)


@pytest.mark.parametrize("make", [_attention, _convolution])
@pytest.mark.parametrize("outer,inner", itertools.product(WAYS, WAYS))
def test_second_derivatives(make, outer: str, inner: str) -> None:
    torch.manual_seed(0)
    ours, theirs, x = make()
    weights = torch.randn_like(ours(x))

    def second(function):
        return WAYS[outer](WAYS[inner](lambda x: (function(x) * weights).sin().sum()))(x)

    torch.testing.assert_close(second(ours), second(theirs))


def test_a_gradient_of_a_paged_cache_is_refused() -> None:
    q, cache = torch.randn(3, 1, 4), torch.randn(2, 4, 1, 4)
    ends, table = torch.tensor([0, 3], dtype=torch.int32), torch.tensor([[1]], dtype=torch.int32)
    with pytest.raises(RuntimeError, match="a paged cache has no gradient"):
        grad(lambda q: G.varlen_attention(q, cache, cache, ends, ends, table).sum())(q)
