"""AdamW by the kernel, against PyTorch's own over several steps."""

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
    step, lr = torch.tensor(0.0), torch.tensor(1e-2)
    for _ in range(4):
        grads = [torch.randn(shape, dtype=dtype) for shape in SHAPES]
        for mirror, grad in zip(mirrors, grads):
            mirror.grad = grad
        optimizer.step()
        results = adamw_(params, grads, avgs, squares, step, lr, largest, **options)
    assert step == 4
    assert results[0] is params and results[3] is step
    tolerance = 16 * 4 * torch.finfo(torch.float32).eps  # lr is in f32
    for mine, mirror in zip(params, mirrors):
        torch.testing.assert_close(
            mine, mirror.detach(), rtol=tolerance, atol=tolerance
        )
    for mine, mirror in zip(squares, mirrors):
        theirs = optimizer.state[mirror]["exp_avg_sq"]
        torch.testing.assert_close(mine, theirs, rtol=tolerance, atol=0)


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
