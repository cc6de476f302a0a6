"""What else PyTorch makes of an op: exported programs, `torch.func`, checkpoints."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

import torch
from torch.utils.checkpoint import checkpoint

from opgen.testing.arrays import flat, mapped, replaced
from opgen.testing.draw import draw
from opgen.testing.environment import Case
from opgen.testing.op_under_test import OpUnderTest
from opgen.testing.torch_checks import call, floating, same_bits, tensors


def exports(subject: OpUnderTest, case: Case) -> None:
    """A program that was exported with dynamic dims, saved and loaded gives the same bits."""
    inputs = tensors(subject, draw(subject.op, case))

    class Program(torch.nn.Module):
        def forward(self, *xs: Any) -> Any:
            return call(subject, case, list(xs))

    dims = mapped(lambda x: dict.fromkeys(range(x.ndim), torch.export.Dim.AUTO), inputs)
    copies = (mapped(torch.clone, inputs) for _ in range(3))
    program = torch.export.export(Program(), tuple(next(copies)), dynamic_shapes=(tuple(dims),))
    file = io.BytesIO()
    torch.export.save(program, file)
    file.seek(0)
    loaded = torch.export.load(file).module()
    got, wanted = loaded(*next(copies)), call(subject, case, next(copies))
    for a, b in zip(flat(got), flat(wanted), strict=True):
        same_bits(a, b)


def transforms(subject: OpUnderTest, case: Case) -> None:
    """`torch.func.grad`, its `vmap`, and a checkpoint give the gradient of `backward`."""
    inputs = tensors(subject, draw(subject.op, case), grad=True)
    every = flat(inputs)
    active = [n for n, x in enumerate(every) if x is not None and x.requires_grad]

    def loss(*some: torch.Tensor) -> torch.Tensor:
        given = dict(enumerate(every)) | dict(zip(active, some))
        results = filter(floating, flat(call(subject, case, replaced(inputs, given.values()))))
        return torch.stack([y.float().sum() for y in results]).sum()

    xs = [every[n] for n in active]
    wanted = _gradients(loss, xs)
    found = _gradients(lambda *some: checkpoint(loss, *some, use_reentrant=False), xs)
    for a, b in zip(found, wanted):
        same_bits(a, b)
    plain = [x.detach() for x in xs]
    gradient = torch.func.grad(loss, argnums=tuple(range(len(xs))))
    for a, b in zip(gradient(*plain), wanted):
        same_bits(a, b)
    batched = torch.func.vmap(gradient)(*(torch.stack([x, x]) for x in plain))
    for a, b in zip(batched, wanted):
        torch.testing.assert_close(a, torch.stack([b, b]), equal_nan=True)


def _gradients(loss: Callable[..., torch.Tensor], xs: list[torch.Tensor]) -> list[torch.Tensor]:
    """The gradients of a loss; zeros where there is none."""
    found = torch.autograd.grad(loss(*xs), xs, allow_unused=True)
    return [torch.zeros_like(x) if g is None else g for x, g in zip(xs, found)]
