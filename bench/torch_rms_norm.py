"""Measure rms_norm on large tensors in PyTorch, compared with native norms and a compiled norm."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping

import torch
from torch import Tensor
from torch.nn import functional as F

from generated.torch import rms_norm
from opgen.bench.harness import Claim, Contestant, Group

Norm = Callable[[Tensor, Tensor], Tensor]
RMS_NORM, LAYER_NORM, COMPILED = "F.rms_norm", "F.layer_norm", "torch.compile(F.rms_norm)"
# The required speedup over F.rms_norm, by dtype: for the forward, and for the backward.
AT_LEAST = {torch.float32: (2.5, 6.0), torch.bfloat16: (7.0, 11.0)}


def native_rms_norm(x: Tensor, weight: Tensor) -> Tensor:
    return F.rms_norm(x, weight.shape, weight, eps=1e-5)


def groups() -> Iterator[Group]:
    torch.manual_seed(0)
    norms: Mapping[str, Norm] = {
        "generated": lambda x, weight: rms_norm(x, weight, eps=1e-5),
        RMS_NORM: native_rms_norm,
        LAYER_NORM: lambda x, w: F.layer_norm(x, w.shape, w, eps=1e-5),
        COMPILED: torch.compile(native_rms_norm),
    }
    torch.set_num_threads(os.cpu_count() or 1)
    for dtype, name in ((torch.float32, "f32"), (torch.bfloat16, "bf16")):
        title = f"PyTorch rms_norm 4096x4096 {name}, {torch.get_num_threads()} threads"
        yield from _directions(title, norms, dtype)


def _directions(title: str, norms: Mapping[str, Norm], dtype: torch.dtype) -> Iterator[Group]:
    """Yield a group of measurements for the forward, and one for the backward alone, on 4096x4096
    elements.
    """
    x, dy = torch.randn(2, 4096, 4096, dtype=dtype)
    weight = torch.rand(4096, dtype=dtype) + 0.5
    recorded = x.clone().requires_grad_(), weight.clone().requires_grad_()
    for direction, contestants, least in (
        ("forward", {n: _forward(f, x, weight) for n, f in norms.items()}, AT_LEAST[dtype][0]),
        (
            "backward",
            {n: _backward(f, *recorded, dy) for n, f in norms.items()},
            AT_LEAST[dtype][1],
        ),
    ):
        claims = [
            Claim("generated", RMS_NORM, "speed ratio", at_least=least),
            Claim("generated", LAYER_NORM, at_most=1.0),
            Claim("generated", COMPILED, at_most=1.0),
        ]
        yield Group(f"{title}, {direction}", contestants, claims, rounds=11)


def _forward(norm: Norm, x: Tensor, weight: Tensor) -> Contestant:
    return lambda: norm(x, weight)


def _backward(norm: Norm, x: Tensor, weight: Tensor, dy: Tensor) -> Contestant:
    y = norm(x, weight)
    return lambda: torch.autograd.grad(y, (x, weight), dy, retain_graph=True)
