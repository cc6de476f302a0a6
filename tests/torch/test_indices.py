"""Ops that read by index refuse an index out of range. Threads do not affect their sums."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
import torch

from generated.torch import (
    cross_entropy,
    cross_entropy_bwd,
    embedding,
    embedding_bag,
    embedding_bwd,
    grouped_gemm,
    rotary,
    rotary_,
    varlen_attention,
)

TABLE = torch.randn(7, 4)
TURNS = torch.randn(5, 4)


OPS = torch.ops.generated


def calls(table: torch.Tensor, indices: torch.Tensor) -> dict[str, Callable]:
    """Return a call of each op that reads by index.

    The keys are the op, the argument with the indices, and the number of valid indices.
    """
    q, bags, zeros = torch.randn(4, 2, 6), torch.tensor([0, 1, 4]), torch.zeros(4)
    logits = table.new_zeros(4, 7).requires_grad_(table.requires_grad)
    return {
        "embedding: indices 7": lambda: embedding(table, indices),
        "embedding_bag: indices 7": lambda: embedding_bag(table, indices, bags),
        "cross_entropy: labels 7": lambda: cross_entropy(logits, indices),
        "rotary: positions 5": lambda: rotary(q, indices, TURNS),
        "rotary_: positions 5": lambda: rotary_(q, indices, TURNS),
        "embedding_bwd: indices 7": lambda: embedding_bwd(table[:4], indices, rows=7),
        "cross_entropy_bwd: labels 7": lambda: cross_entropy_bwd(
            torch.ones(()), logits.detach(), indices, zeros, zeros, torch.tensor(4.0)
        ),
    }


@pytest.mark.parametrize("bad", [-1, 7, 2**40])
@pytest.mark.parametrize("place", [0, 3])
@pytest.mark.parametrize("grad", [False, True])
def test_out_of_range(bad: int, place: int, grad: bool) -> None:
    indices = torch.arange(4)
    indices[place:] = bad  # the first of them is reported
    for name, call in calls(TABLE.clone().requires_grad_(grad), indices).items():
        argument, _, rows = name.rpartition(" ")
        words = f"{argument}: expected 0 <= {argument.split()[1]} < {rows}, got {bad} at [{place}]"
        with pytest.raises(ValueError, match=f"^{re.escape(words)}$"):
            call()


def test_the_place_is_that_in_the_argument() -> None:
    indices = torch.zeros(40, 50, 60, dtype=torch.int32)
    indices[3, 49, 7:] = 8
    indices[20:] = -5  # other threads find these
    words = r"^embedding: indices: expected 0 <= indices < 7, got 8 at \[3, 49, 7\]$"
    for call in (embedding, OPS.embedding.default):
        with pytest.raises(ValueError, match=words):
            call(TABLE, indices)
    with pytest.raises(ValueError, match="got 9$"):
        embedding(TABLE, torch.tensor(9))
    compiled = torch.compile(embedding, fullgraph=True, backend="aot_eager")
    with pytest.raises(ValueError, match=words):
        compiled(TABLE, indices)


@pytest.mark.parametrize(
    ("offsets", "words"),
    [
        ([0, 3, 2, 4], "3 <= offsets < 5, got 2 at [2]"),
        ([1, 2, 3, 4], "0 <= offsets < 1, got 1 at [0]"),
        ([0, 1, 2, 5], "4 <= offsets < 5, got 5 at [3]"),
    ],
)
def test_bounds_that_are_none(offsets: list[int], words: str) -> None:
    with pytest.raises(ValueError, match=re.escape(f"embedding_bag: offsets: expected {words}")):
        embedding_bag(TABLE, torch.arange(4), torch.tensor(offsets))


def test_offsets_are_checked_where_results_are_empty() -> None:
    x, two = torch.ones(4, 2, 8), torch.tensor([0, 2], dtype=torch.int32)
    for call in (
        lambda: embedding_bag(torch.ones(7, 0), torch.arange(4), torch.tensor([0, 5])),
        lambda: grouped_gemm(torch.ones(4, 3), torch.ones(1, 3, 0), two),
        lambda: varlen_attention(x[:0], x, x, two, 2 * two),
    ):
        with pytest.raises(ValueError, match=r"expected .* <= (offsets|cu_q) < "):
            call()


@pytest.mark.parametrize("style", ["half", "interleaved"])
@pytest.mark.parametrize("place", [0, 700])
def test_what_is_updated_is_updated_whole_or_not(place: int, style: str) -> None:
    q, k = torch.randn(1000, 2, 64), torch.randn(1000, 1, 64)
    kept = q.clone(), k.clone()
    positions, cos_sin = torch.arange(1000) % 5, torch.randn(5, 64)
    positions[place] = 5
    with pytest.raises(ValueError, match="rotary_: positions: expected 0 <= positions < 5, got 5"):
        rotary_(q, positions, cos_sin, k, style=style)
    assert torch.equal(q, kept[0]) and torch.equal(k, kept[1])
    assert q._version == k._version == 0


@pytest.mark.parametrize("bad, legal", [(-1, True), (-2, False), (7, False), (2**40, False)])
def test_the_maximum_of_a_row_that_is_not_there(bad: int, legal: bool) -> None:
    """A saved argmax that is out of range is refused, except -1, which marks an empty bag."""
    dy, indices, offsets = torch.ones(2, 4), torch.arange(4), torch.tensor([0, 2, 4])
    argmax = torch.tensor([[0, 1, 0, 1], [2, 3, bad, 3]])
    call = lambda: torch.ops.generated.embedding_bag_bwd(
        dy, indices, offsets, None, argmax, None, 7, "max", 1
    )
    if legal:
        assert call()[0].sum() == 7
    else:
        with pytest.raises(
            ValueError, match="embedding_bag_bwd: argmax: expected -1 <= argmax < 7"
        ):
            call()


@pytest.mark.parametrize("skewed", [False, True])
def test_the_number_of_threads_changes_no_bit(skewed: bool) -> None:
    indices = torch.randint(0, 50, (4000,)) ** (1 + skewed) // (49 if skewed else 1)
    offsets = torch.cat([torch.randint(0, 4000, (99,)).sort().values, torch.tensor([4000])])
    offsets[0] = 0
    found, before = [], torch.get_num_threads()
    for threads in (1, 2, 5):
        torch.set_num_threads(threads)
        try:
            torch.manual_seed(3)
            weight = torch.randn(50, 33, requires_grad=True)
            results = [embedding(weight, indices)]
            results += [
                embedding_bag(weight, indices, offsets, mode=m)[0] for m in ("sum", "mean", "max")
            ]
            cotangents = [torch.randn_like(y) for y in results]
            grads = [torch.autograd.grad(y, weight, c)[0] for y, c in zip(results, cotangents)]
            found.append(torch.cat([t.detach().flatten() for t in results + grads]))
        finally:
            torch.set_num_threads(before)
    assert torch.equal(found[0], found[1]) and torch.equal(found[0], found[2])


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("count", [0, 1, 40, 3000])
def test_a_table_with_rows_that_nobody_names(count: int, threads: int, dtype: torch.dtype) -> None:
    """Gradients of tables are right if many rows are not indexed.

    Small and large numbers of indices are sorted differently; without indices, all gradients are 0.
    """
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
        found = torch.ops.generated.embedding_bwd(dy, indices, rows)
        padded = torch.ops.generated.embedding_bwd(dy, indices, rows, padding)
        for bad in (-1, rows):
            wrong = torch.cat([indices, torch.tensor([bad])])
            with pytest.raises(ValueError, match="indices: expected 0 <= indices < "):
                torch.ops.generated.embedding_bwd(
                    torch.cat([dy, dy.new_zeros(1, columns)]), wrong, rows
                )
    finally:
        torch.set_num_threads(before)
    assert found.dtype == dtype
    eps = torch.finfo(dtype).eps + count * torch.finfo(torch.float32).eps
    assert ((found.double() - exact).abs() <= eps * size).all()
    assert not padded[padding].any()
    others = torch.arange(rows) != padding
    assert torch.equal(padded[others], found[others])
