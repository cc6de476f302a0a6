"""Ops with a split dim that their own kernels need whole, compared with PyTorch's own.

The cases are in a separate module, because worker processes import it.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, field

import torch
from torch import Tensor
from torch.nn import functional as F


@dataclass(frozen=True)
class Case:
    """A call. `placed` tells for each input which of its dims each mesh dim splits.

    `result` tells it for the result; "-" means that the mesh dim splits none. `native` tells
    whether PyTorch's own op can do it: `loss_parallel` cannot smooth labels, and cannot split fewer
    classes than processes.
    """

    op: str
    sizes: tuple[int, ...]
    mesh: tuple[int, ...]
    placed: tuple[str, ...]
    result: str
    attrs: dict = field(default_factory=dict)
    native: bool = True
    dtype: torch.dtype = torch.float32

    def __str__(self) -> str:
        sizes = "x".join(map(str, self.sizes))
        attrs = (f"{name}={value}" for name, value in self.attrs.items())
        narrow = () if self.dtype == torch.float32 else (str(self.dtype),)
        return "_".join((self.op, sizes, *self.placed, *attrs, *narrow))


def measured(case: Case, compiled: bool = False) -> dict:
    """Measure a case in this process.

    The result holds the bytes that our op and PyTorch's own move (None if it refuses the call), and
    the collectives of our forward. It also holds the largest error of results and gradients, and
    the placement of the result.
    """
    import generated.torch as ops

    inputs, plain = _inputs(case), NATIVE[case.op]
    ours = _ours(case, getattr(ops, case.op))
    if compiled:
        ours = torch.compile(ours, fullgraph=True, dynamic=False, backend="aot_eager")
    wide = [x.double() if x.is_floating_point() else x for x in inputs]
    exact = _gradients(lambda *xs: plain(*xs, **case.attrs), wide, _cotangent)
    got, bytes, calls, where = _split(case, ours, inputs, counted=not compiled)
    errors = [
        ((y.double() - z).abs().max() / z.abs().max().clamp(min=1)).item()
        for y, z in zip(got, exact, strict=True)
    ]
    native = None
    if not compiled and case.native:
        try:
            _, native, *_ = _split(case, lambda *xs: plain(*xs, **case.attrs), inputs)
        except NotImplementedError:  # raised for a mean on a mesh of two dims
            pass
    return {"ours": bytes, "native": native, "calls": calls, "error": max(errors), "where": where}


def told(case: Case, compiled: bool = False) -> dict | str:
    """Return `measured(case, compiled)`, or a traceback if it fails."""
    try:
        return measured(case, compiled)
    except Exception:
        return traceback.format_exc()


def _inputs(case: Case) -> list[Tensor]:
    torch.manual_seed(0)
    rows, size = case.sizes[0], case.sizes[1:]
    if case.op == "linear_cross_entropy":
        hidden, weight = torch.randn(rows, size[0]), torch.randn(size[1], size[0])
        return [hidden.to(case.dtype), weight.to(case.dtype), _labels(rows, size[1])]
    if case.op == "soft_cross_entropy":
        return [torch.randn(rows, *size) * 3, torch.rand(rows, *size)]
    if case.op.endswith("cross_entropy"):
        return [torch.randn(rows, *size) * 3, _labels(rows, size[-1])]
    if case.op == "embedding":
        return [torch.randn(rows, *size), torch.randint(0, rows, (6, 4))]
    x, weight = torch.randn(rows, *size) + 2, torch.randn(size)
    return [x, weight, torch.randn(size)][: len(case.placed)]


def _labels(rows: int, classes: int) -> Tensor:
    labels = torch.randint(0, classes, (rows,))
    labels[0], labels[-1] = -100, classes - 1
    return labels


def _ours(case: Case, wrapper: Callable) -> Callable:
    attrs = dict(case.attrs)
    if case.op == "layer_norm":
        attrs["normalized_shape"] = case.sizes[1:]
    return lambda *xs: wrapper(*xs, **attrs)


NATIVE: dict[str, Callable[..., Tensor]] = {
    # F.rms_norm refuses split rows.
    "rms_norm": lambda x, w, **kw: _normed(x, [*range(x.ndim)][-w.ndim :]) * w,
    "layer_norm": lambda x, *p, **kw: F.layer_norm(x, x.shape[1:], *p),
    "cross_entropy": F.cross_entropy,
    "linear_cross_entropy": lambda x, w, y, **kw: F.cross_entropy(F.linear(x, w).float(), y, **kw),
    "soft_cross_entropy": F.cross_entropy,
    "weighted_cross_entropy": F.cross_entropy,
    "embedding": lambda table, indices, **kw: F.embedding(indices, table, **kw),
}


def _normed(x: Tensor, dims: list[int]) -> Tensor:
    return x * torch.rsqrt(x.square().mean(dims, keepdim=True) + 1e-5)


def _cotangent(y: Tensor) -> Tensor:
    torch.manual_seed(1)
    return torch.randn(y.shape, dtype=torch.float32).to(y.dtype)


def _gradients(function: Callable, inputs: list, cotangent: Callable) -> list[Tensor]:
    """Return the result, and the gradients of the floating inputs."""
    active = [x.detach().requires_grad_() if x.is_floating_point() else x for x in inputs]
    y = function(*active)
    asked = [x for x in active if x.requires_grad]
    return [y.detach(), *torch.autograd.grad(y, asked, cotangent(y))]


def _split(case: Case, function: Callable, inputs: list[Tensor], counted: bool = True) -> tuple:
    """Run a case on DTensors.

    Returns the whole results, and the bytes moved until the results are placed as the case requires
    and the gradients are placed like their inputs.
    """
    from torch.distributed.tensor import Replicate, Shard, distribute_tensor, init_device_mesh
    from torch.distributed.tensor.parallel import loss_parallel

    from opgen.testing.torch_collectives import Moved

    mesh = init_device_mesh("cpu", case.mesh)

    def at(text: str) -> list:
        return [Replicate() if c == "-" else Shard(int(c)) for c in text]

    given = [distribute_tensor(x, mesh, at(p)) for x, p in zip(inputs, case.placed)]
    places = [case.placed[n] for n, x in enumerate(inputs) if x.is_floating_point()]
    where: list = []
    calls: list[str] = []

    def settled(*xs: Tensor) -> Tensor:
        y = function(*xs)
        where[:] = y.placements
        calls[:] = [name for name, _ in moved.calls] if counted else []
        return y.redistribute(placements=at(case.result))

    def cotangent(y: Tensor) -> Tensor:
        return distribute_tensor(_cotangent(y), mesh, at(case.result), src_data_rank=None)

    split_classes = case.op == "cross_entropy" and "1" in case.placed[0]
    split_classes |= case.op == "linear_cross_entropy"
    with loss_parallel() if split_classes else nullcontext():
        with Moved() if counted else nullcontext() as moved:
            found = _gradients(settled, given, cotangent)
            placed = zip(found[1:], places, strict=True)
            grads = [g.redistribute(placements=at(p)) for g, p in placed]
    whole = [y.full_tensor() for y in (found[0], *grads)]
    return whole, moved.bytes if counted else 0, calls, "".join(map(_text, where))


def _text(placement: object) -> str:
    return str(placement.dim) if placement.is_shard() else "+" if placement.is_partial() else "-"
