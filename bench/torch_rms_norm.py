"""rms_norm in PyTorch beside the native norms: what a call costs, and what a large array costs."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping

import torch
from torch.nn import functional as F

from generated.torch import rms_norm
from opgen.bench.harness import Claim, Contestant, Group

Norm = Callable[[torch.Tensor, torch.Tensor], torch.Tensor]
NORMS: Mapping[str, Norm] = {
    "generated": lambda x, weight: rms_norm(x, weight, eps=1e-5),
    "F.layer_norm": lambda x, weight: F.layer_norm(x, weight.shape, weight, eps=1e-5),
    "F.rms_norm": lambda x, weight: F.rms_norm(x, weight.shape, weight, eps=1e-5),
}
CLAIMS = [Claim("generated", name) for name in NORMS if name != "generated"]


def groups() -> Iterator[Group]:
    torch.manual_seed(0)
    torch.set_num_threads(1)
    yield from _modes("8x128 f32, 1 thread", 8, 128, torch.float32)
    torch.set_num_threads(os.cpu_count() or 1)
    threads = f"{torch.get_num_threads()} threads"
    for dtype, name in ((torch.float32, "f32"), (torch.bfloat16, "bf16")):
        yield from _modes(f"4096x4096 {name}, {threads}", 4096, 4096, dtype, rounds=11)


def _modes(
    title: str, m: int, n: int, dtype: torch.dtype, rounds: int = 50
) -> Iterator[Group]:
    """Forward without and with gradients recorded, and forward with backward. x: `m n`."""
    x, dy = torch.randn(2, m, n, dtype=dtype)
    weight = torch.rand(n, dtype=dtype) + 0.5
    recorded = x.clone().requires_grad_(), weight.clone().requires_grad_()
    for mode, contestants in (
        ("no grad", {k: _forward(norm, x, weight) for k, norm in NORMS.items()}),
        ("grad", {k: _forward(norm, *recorded) for k, norm in NORMS.items()}),
        (
            "forward + backward",
            {k: _backward(norm, *recorded, dy) for k, norm in NORMS.items()},
        ),
    ):
        yield Group(f"PyTorch rms_norm {title}, {mode}", contestants, CLAIMS, rounds)


def _forward(norm: Norm, x: torch.Tensor, weight: torch.Tensor) -> Contestant:
    return lambda: norm(x, weight)


def _backward(
    norm: Norm, x: torch.Tensor, weight: torch.Tensor, dy: torch.Tensor
) -> Contestant:
    return lambda: torch.autograd.grad(norm(x, weight), (x, weight), dy)
