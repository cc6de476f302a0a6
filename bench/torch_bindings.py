"""Measure a call to rms_norm in PyTorch: opgen's op, native norms, and several bindings by hand.

The calls use 8x128 f32 and one thread, so that most of the time goes to the binding. All functions
except the native norms run the same kernels.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial

import torch
from torch import Tensor
from torch.nn import functional as F

from bench import torch_by_hand
from generated.torch import rms_norm
from opgen.bench.harness import Claim, Contestant, Group

Norm = Callable[[Tensor, Tensor], Tensor]
NATIVE: Mapping[str, Norm] = {
    "F.layer_norm": lambda x, w: F.layer_norm(x, w.shape, w, eps=1e-5),
    "F.rms_norm": lambda x, w: F.rms_norm(x, w.shape, w, eps=1e-5),
}
SHAPE = 8, 128
ROUNDS = 101


def groups() -> Iterator[Group]:
    torch.manual_seed(0)
    torch.set_num_threads(1)
    x, dy = torch.randn(2, *SHAPE)
    weight = torch.rand(SHAPE[1]) + 0.5
    recorded = x.clone().requires_grad_(), weight.clone().requires_grad_()
    others = torch_by_hand.others()
    if "tvm-ffi" not in others:
        print("apache-tvm-ffi is not installed: it is left out\n")
    norms = {
        "generated": lambda x, w: rms_norm(x, w, eps=1e-5),
        **NATIVE,
        **torch_by_hand.bindings(),
    }
    plain = norms | {name: norm for name, (norm, _) in others.items()}
    differentiable = norms | {name: norm for name, (_, norm) in others.items()}
    _check(differentiable, *recorded, dy)
    # The generated op need not be faster than the bindings outside PyTorch's dispatcher.
    unbounded = ("F.rms_norm", *others)
    claims = [
        Claim("generated", name, at_most=None if name in unbounded else 1.0)
        for name in plain
        if name != "generated"
    ]
    title = "PyTorch rms_norm 8x128 f32, 1 thread"
    for mode, contestants in (
        ("no grad", {n: partial(f, x, weight) for n, f in plain.items()}),
        ("grad", {n: partial(f, *recorded) for n, f in differentiable.items()}),
        ("forward + backward", {n: _both(f, *recorded, dy) for n, f in differentiable.items()}),
    ):
        yield Group(f"{title}, {mode}", contestants, claims, ROUNDS)


def _both(norm: Norm, x: Tensor, weight: Tensor, dy: Tensor) -> Contestant:
    return lambda: torch.autograd.grad(norm(x, weight), (x, weight), dy)


def _check(norms: Mapping[str, Norm], x: Tensor, weight: Tensor, dy: Tensor) -> None:
    """Check that all functions, except the layer norm, compute the same gradients."""
    wanted = _both(norms["F.rms_norm"], x, weight, dy)()
    for name, norm in norms.items():
        if name != "F.layer_norm":
            torch.testing.assert_close(_both(norm, x, weight, dy)(), wanted)
