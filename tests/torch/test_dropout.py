"""`dropout` draws its seed like `F.dropout`, or takes one; its random words are Philox's."""

from __future__ import annotations

import pytest
import torch

from generated.torch import dropout
from tests.references import philox

P = 0.25
X = torch.arange(1.0, 43.0).reshape(6, 7)


def wanted(seed: int, offset: int) -> torch.Tensor:
    kept = torch.from_numpy(philox.keep(seed, offset, (6, 7), P))
    return torch.where(kept, X / (1 - P), 0.0)


@pytest.mark.parametrize("given", [int, torch.tensor], ids=["numbers", "tensors"])
@pytest.mark.parametrize("seed", [2**40 + 3, -5])
def test_a_seed_and_an_offset(given, seed) -> None:
    assert torch.equal(dropout(X, given(seed), given(3), p=P), wanted(seed, 3))
    assert torch.equal(dropout(X, given(seed), p=P), wanted(seed, 0))
    found = torch.ops.generated.dropout(X, torch.tensor(seed), torch.tensor(3), P)
    assert torch.equal(found, wanted(seed, 3))


@pytest.mark.parametrize("wrap", [lambda f: f, lambda f: torch.compile(f, fullgraph=True)])
def test_generators_draw_what_is_left_out(wrap) -> None:
    call = wrap(lambda x: dropout(x, p=P))
    torch.manual_seed(3)
    found = [call(X) for _ in range(3)]
    assert not torch.equal(found[0], found[1]) and not torch.equal(found[1], found[2])
    torch.manual_seed(3)
    assert all(torch.equal(call(X), y) for y in found)
    torch.manual_seed(3)
    assert torch.equal(found[0], wanted(int(torch.randint(2**63 - 1, ())), 0))


def test_all_is_dropped_at_one() -> None:
    x = X.clone().requires_grad_()
    y = dropout(x, 5, p=1.0)
    (dx,) = torch.autograd.grad(y.sum(), x)
    assert not y.any() and not dx.any()
    with pytest.raises(ValueError, match="dropout: p: expected at most 1.0, got 1.5"):
        dropout(X, 5, p=1.5)


def test_a_generator_in_its_place() -> None:
    state = torch.get_rng_state()
    one, two = (torch.Generator().manual_seed(9) for _ in range(2))
    assert torch.equal(dropout(X, one, p=P), dropout(X, two, p=P))
    assert not torch.equal(dropout(X, one, p=P), dropout(X, torch.Generator(), p=P))
    assert torch.equal(torch.get_rng_state(), state)


def test_the_gradient_has_the_mask_that_was_drawn() -> None:
    from torch.utils.checkpoint import checkpoint

    for call in (dropout, lambda x: checkpoint(dropout, x, use_reentrant=False)):
        x = X.clone().requires_grad_()
        y = call(x)
        (dx,) = torch.autograd.grad(y.sum(), x)
        assert torch.equal(dx != 0, y != 0) and torch.equal(dx * X, y)


@pytest.mark.parametrize("budget", [0.5, 0.0])
def test_a_compiled_backward_draws_no_seed_of_its_own(budget: float) -> None:
    from torch._functorch import config

    def call(x: torch.Tensor) -> torch.Tensor:
        return dropout(torch.sin(x) + 2.0, p=0.5)

    x = torch.randn(32, 64, requires_grad=True)
    torch._dynamo.reset()
    with config.patch(activation_memory_budget=budget):
        y = torch.compile(call, backend="aot_eager_decomp_partition")(x)
        (dx,) = torch.autograd.grad(y.sum(), x)
        torch._dynamo.reset()
        with pytest.raises(torch._dynamo.exc.Unsupported, match="dropout: seed: expected a seed"):
            torch.compile(call, backend="aot_eager_decomp_partition", fullgraph=True)(x)
    torch._dynamo.reset()
    torch.testing.assert_close(dx, torch.cos(x) * 2 * (y != 0))
