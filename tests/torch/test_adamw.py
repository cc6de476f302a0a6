"""The kernel's AdamW agrees with PyTorch's own over several steps."""

from __future__ import annotations

import pytest
import torch

from generated.torch import adamw_

SHAPES = [(300, 70), (), (0, 3), (1,), (17, 5, 3)]
OPTIONS = [
    {},
    {"amsgrad": True},
    {"maximize": True, "weight_decay": 0.3},
    {"beta1": 0.0, "eps": 1e-3},
]


def native(params, **options) -> torch.optim.AdamW:
    betas = (options.pop("beta1", 0.9), 0.999)
    return torch.optim.AdamW(params, 1e-2, betas, foreach=False, **options)


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=str)
def test_steps(options: dict, dtype: torch.dtype) -> None:
    params = [torch.randn(shape, dtype=dtype) for shape in SHAPES]
    mirrors = [torch.nn.Parameter(p.clone()) for p in params]
    optimizer = native(mirrors, **options)
    states = [[torch.zeros_like(p) for p in params] for _ in range(3)]
    avgs, squares, largest = states if options.get("amsgrad") else (*states[:2], None)
    step, lr = torch.tensor(0.0), torch.tensor(1e-2, dtype=dtype)
    for _ in range(4):
        grads = [torch.randn(shape, dtype=dtype) for shape in SHAPES]
        for mirror, grad in zip(mirrors, grads):
            mirror.grad = grad
        optimizer.step()
        results = adamw_(params, grads, avgs, squares, step, lr, largest, **options)
    assert step == 4
    assert results[0] is params and results[3] is step
    tolerance = 16 * 4 * torch.finfo(dtype).eps
    for mine, mirror in zip(params, mirrors):
        torch.testing.assert_close(mine, mirror.detach(), rtol=tolerance, atol=tolerance)
    for mine, mirror in zip(squares, mirrors):
        theirs = optimizer.state[mirror]["exp_avg_sq"]
        torch.testing.assert_close(mine, theirs, rtol=tolerance, atol=0)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float64], ids=str)
@pytest.mark.parametrize("size", [1e-18, 1e-10, 1e10, 3e19, 3e20])
@pytest.mark.parametrize("amsgrad", [False, True])
def test_gradients_whose_squares_nearly_overflow(
    size: float, amsgrad: bool, dtype: torch.dtype
) -> None:
    mirror = torch.nn.Parameter(torch.ones(67, dtype=dtype))
    mirror.grad = torch.full_like(mirror, size)
    optimizer = native([mirror], amsgrad=amsgrad)
    p, states = torch.ones(67, dtype=dtype), [[torch.zeros(67, dtype=dtype)] for _ in range(3)]
    step = torch.tensor(0.0)
    for _ in range(2):
        optimizer.step()
        largest = states[2] if amsgrad else None
        adamw_([p], [mirror.grad], *states[:2], step, 1e-2, largest, amsgrad=amsgrad)
    assert states[1][0].isfinite().all()
    eps = torch.finfo(dtype).eps
    torch.testing.assert_close(
        p, mirror.detach(), rtol=eps if dtype == torch.bfloat16 else 16 * eps, atol=0
    )


def test_a_number_for_the_rate_is_as_wide_as_the_parameters() -> None:
    """A learning rate of 0.1 is not rounded to f32 for f64 parameters; an f32 tensor is refused."""
    lists = [[torch.full((3,), x, dtype=torch.float64)] for x in (0.0, 1.0, 0.0, 0.0)]
    adamw_(*lists, torch.tensor(0.0), 0.1, eps=0.0)
    torch.testing.assert_close(lists[0][0], torch.full_like(lists[0][0], -0.1), rtol=1e-15, atol=0)
    text = r"adamw_: lr: expected dtype f64, accum\(params.dtype\), got f32"
    for call in (adamw_, lambda *a: torch.ops.generated.adamw_.default(*a, [])):
        with pytest.raises((TypeError, ValueError), match=text):
            call(*lists, torch.tensor(0.0), torch.tensor(0.1))


def test_the_number_of_threads_changes_no_bit() -> None:
    found = []
    for threads in (1, 2, 5):
        torch.manual_seed(1)
        lists = [[torch.rand(n) for n in (70001, 3, 33333, 64)] for _ in range(4)]
        before = torch.get_num_threads()
        torch.set_num_threads(threads)
        try:
            adamw_(*lists, torch.tensor(3.0), torch.tensor(0.1))
        finally:
            torch.set_num_threads(before)
        found.append(torch.cat([t for each in lists for t in each]))
    assert torch.equal(found[0], found[1]) and torch.equal(found[0], found[2])


def test_versions_move() -> None:
    lists = [[torch.rand(3), torch.rand(2)] for _ in range(4)]
    versions = [[t._version for t in each] for each in lists]
    adamw_(*lists, torch.tensor(1.0), torch.tensor(0.1))
    moved = [[t._version - v for t, v in zip(*pair)] for pair in zip(lists, versions)]
    assert moved == [[1, 1], [0, 0], [1, 1], [1, 1]]


# -- in other orders of memory -----------------------------------------------------------

# Dims from the outermost in memory to the innermost; the last entry is PyTorch's channels_last.
ORDERED = [
    ((6, 5), (1, 0)),
    ((33, 65), (1, 0)),
    ((4, 1, 3), (2, 0, 1)),
    ((0, 3), (1, 0)),
    ((2, 3, 5, 4), (0, 2, 3, 1)),
]
WAYS = {
    "wrapper": lambda: adamw_,
    "dispatcher": lambda: torch.ops.generated.adamw_.default,
    "compiled": lambda: torch.compile(adamw_, fullgraph=True),
}


def ordered(tensor: torch.Tensor, order: tuple[int, ...]) -> torch.Tensor:
    """Return a tensor with the same elements, with its dims in `order` in memory."""
    laid = torch.empty_permuted(tensor.shape, order, dtype=tensor.dtype)
    return laid.copy_(tensor)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float64], ids=str)
def test_any_order_of_memory(way: str, dtype: torch.dtype) -> None:
    """Parameters and moments keep any memory order; gradients may have another one."""
    wide = torch.promote_types(dtype, torch.float32)
    params = [ordered(torch.randn(s).to(dtype), order) for s, order in ORDERED]
    exact = [p.double().contiguous() for p in params]
    optimizer = torch.optim.AdamW(exact, 0.125, amsgrad=True)
    lists = [[torch.zeros_like(p, dtype=wide) for p in params] for _ in range(3)]
    before = [(p.data_ptr(), p.stride()) for p in params]
    torch._dynamo.reset()  # because a function is compiled a limited number of times
    step, lr, call = torch.tensor(0.0), torch.tensor(0.125, dtype=wide), WAYS[way]()
    for number in range(3):
        drawn = [torch.randn_like(p, memory_format=torch.contiguous_format) for p in params]
        grads = [ordered(g, order) if number else g for g, (_, order) in zip(drawn, ORDERED)]
        if number == 2:
            grads = [g.repeat_interleave(2, -1)[..., ::2] for g in grads]
        kept = [g.clone() for g in grads]
        for p, g in zip(exact, grads):
            p.grad = g.double()
        optimizer.step()
        call(params, grads, *lists[:2], step, lr, lists[2], amsgrad=True)
        assert all(torch.equal(g, k) for g, k in zip(grads, kept))
    assert before == [(p.data_ptr(), p.stride()) for p in params]
    for p, m, v, right in zip(params, *lists[:2], exact):
        assert m.stride() == v.stride() == p.stride()
        state = optimizer.state[right]
        for mine, theirs in ((p, right), (m, state["exp_avg"]), (v, state["exp_avg_sq"])):
            k = 256 if wide == torch.float64 else 16  # PyTorch's `1 - 0.999**step` is inexact
            eps = k * torch.finfo(mine.dtype).eps
            torch.testing.assert_close(mine.double(), theirs, rtol=eps, atol=eps)


@pytest.mark.parametrize("way", ["wrapper", "dispatcher"])
def test_what_cannot_be_written_in_place_is_named(way: str) -> None:
    def refused(text: str, **changed: torch.Tensor) -> None:
        names = ("params", "grads", "exp_avgs", "exp_avg_sqs")
        lists = {n: [torch.ones(2), ordered(torch.ones(3, 5), (1, 0))] for n in names}
        for name, tensor in changed.items():
            lists[name][1] = tensor
        with pytest.raises(ValueError, match=rf"^adamw_: {text}$"):
            WAYS[way]()(*lists.values(), torch.tensor(0.0), torch.tensor(0.1), [])

    strides = r"expected the strides of params\[1\], \(1, 3\), to write in place, got \(5, 1\)"
    refused(rf"exp_avgs\[1\]: {strides}", exp_avgs=torch.ones(3, 5))
    refused(rf"exp_avg_sqs\[1\]: {strides}", exp_avg_sqs=torch.ones(3, 5))
    gaps = r"expected a tensor without gaps, to write in place, got strides \(10, 2\)"
    refused(rf"params\[1\]: {gaps}", params=torch.ones(3, 10)[:, ::2])
    refused(
        r"params\[1\]: expected a tensor without gaps.*\(1, 1\)",
        params=torch.ones(7).as_strided((3, 5), (1, 1)),
    )
    memory = torch.ones(20)
    p, m = (memory[at : at + 15].view(5, 3).T for at in (0, 5))
    refused(r"(params|exp_avgs)\[1\]: shares memory with .*", params=p, exp_avgs=m)
