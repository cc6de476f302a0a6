"""What reads by index refuses what is out of range, and adds up the same whatever the threads."""

from __future__ import annotations

import pytest
import torch

from generated.torch import cross_entropy, embedding, embedding_bag, rotary, rotary_

TABLE = torch.randn(7, 4)
TURNS = torch.randn(5, 4)


@pytest.mark.parametrize("bad", [-2, 7, 2**40])
@pytest.mark.parametrize("place", [0, 3])
def test_out_of_range(bad: int, place: int) -> None:
    indices = torch.arange(4)
    indices[place] = bad
    q = torch.randn(4, 2, 6)
    calls = {
        "embedding": lambda: embedding(TABLE, indices),
        "embedding_bag": lambda: embedding_bag(TABLE, indices, torch.tensor([0, 1, 4])),
        "cross_entropy": lambda: cross_entropy(torch.randn(4, 7), indices),
        "rotary": lambda: rotary(q, indices, TURNS),
        "rotary_": lambda: rotary_(q, indices, TURNS),
    }
    for op, call in calls.items():
        with pytest.raises(RuntimeError, match=f"{op}: an index is out of range"):
            call()


@pytest.mark.parametrize("offsets", [[0, 3, 2, 4], [1, 2, 3, 4], [0, 1, 2, 5]])
def test_bounds_that_are_none(offsets: list[int]) -> None:
    with pytest.raises(RuntimeError, match="embedding_bag: an index is out of range"):
        embedding_bag(TABLE, torch.arange(4), torch.tensor(offsets))


@pytest.mark.parametrize("skewed", [False, True])
def test_the_number_of_threads_changes_no_bit(skewed: bool) -> None:
    indices = torch.randint(0, 50, (4000,)) ** (1 + skewed) // (49 if skewed else 1)
    offsets = torch.cat([torch.randint(0, 4000, (99,)).sort().values, torch.tensor([4000])])  # fmt: skip
    offsets[0] = 0
    found, before = [], torch.get_num_threads()
    for threads in (1, 2, 5):
        torch.set_num_threads(threads)
        try:
            torch.manual_seed(3)
            weight = torch.randn(50, 33, requires_grad=True)
            results = [embedding(weight, indices)]
            results += [embedding_bag(weight, indices, offsets, mode=m)[0] for m in ("sum", "mean", "max")]  # fmt: skip
            cotangents = [torch.randn_like(y) for y in results]
            grads = [
                torch.autograd.grad(y, weight, c)[0]
                for y, c in zip(results, cotangents)
            ]
            found.append(torch.cat([t.detach().flatten() for t in results + grads]))
        finally:
            torch.set_num_threads(before)
    assert torch.equal(found[0], found[1]) and torch.equal(found[0], found[2])


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("count", [0, 1, 40, 3000])
def test_a_table_with_rows_that_nobody_names(
    count: int, threads: int, dtype: torch.dtype
) -> None:
    """Few entries are sorted otherwise than many, and where none are there are only zeros."""
    rows, columns, padding = 2000, 33, 7
    indices = torch.randint(0, rows, (count,))
    indices[: count // 2] = torch.randint(5, 9, (count // 2,))
    dy = torch.randn(count, columns).to(dtype)
    exact = torch.zeros(rows, columns, dtype=torch.float64)
    exact.index_add_(0, indices, dy.double())
    size = torch.zeros(rows, columns, dtype=torch.float64)
    size.index_add_(0, indices, dy.double().abs())
    before = torch.get_num_threads()
    torch.set_num_threads(threads)
    try:
        found = torch.ops.generated.embedding_bwd(dy, indices, rows, -1)
        padded = torch.ops.generated.embedding_bwd(dy, indices, rows, padding)
        for bad in (-2, rows):
            wrong = torch.cat([indices, torch.tensor([bad])])
            with pytest.raises(RuntimeError, match="an index is out of range"):
                torch.ops.generated.embedding_bwd(
                    torch.cat([dy, dy.new_zeros(1, columns)]), wrong, rows, -1
                )
    finally:
        torch.set_num_threads(before)
    assert found.dtype == dtype
    eps = torch.finfo(dtype).eps + count * torch.finfo(torch.float32).eps
    assert ((found.double() - exact).abs() <= eps * size).all()
    assert not padded[padding].any()
    others = torch.arange(rows) != padding
    assert torch.equal(padded[others], found[others])
