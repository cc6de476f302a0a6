"""Checks of an op in exported programs, under `torch.func`, and under activation checkpointing."""

from __future__ import annotations

import io
import tempfile
from collections.abc import Callable
from typing import Any

import torch
from torch.utils.checkpoint import checkpoint

from opgen.ir.op import Op
from opgen.targets.torch.schema import gives_optional
from opgen.testing.arrays import flat, mapped, replaced, tupled
from opgen.testing.cases import cases
from opgen.testing.draw import draw
from opgen.testing.environment import Case
from opgen.testing.op_under_test import OpUnderTest
from opgen.testing.torch_checks import (
    attributes,
    call,
    floating,
    for_raw,
    raw,
    same_gradient,
    same_results,
    tensors,
)


def exports(subject: OpUnderTest, case: Case) -> None:
    """Check that a saved and loaded export with dynamic dims gives the same bits as eager calls."""
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
    same_results(got, wanted, "of the exported program")


def packages(subject: OpUnderTest) -> None:
    """Check that a program packaged by AOTInductor gives the same bits as eager calls.

    The calls request different sets of optional results.
    """
    calls, found = [], set[object]()
    for case in cases(subject.op):
        drawn = tensors(subject, draw(subject.op, case))
        for asked in _requests(subject.op):
            inputs = [x if _is_taken(subject.op, n, asked) else None for n, x in enumerate(drawn)]
            attrs = attributes(subject, case)
            attrs += [sum(1 << n for n in asked)] if subject.op.on_request else []
            results = _results(subject, inputs, attrs)
            presence = tuple(y is not None for y in results)
            # AOTInductor does not support undefined tensors.
            undefined = results[0] is None and not gives_optional(subject.op, subject.op.written[0])
            if presence not in found and not undefined:
                found.add(presence)
                calls.append((inputs, attrs))

    class Program(torch.nn.Module):
        def forward(self, *given: list[Any]) -> list[torch.Tensor]:
            pairs = zip(given, calls)
            made = [_results(subject, xs, attrs) for xs, (_, attrs) in pairs]
            return [y for results in made for y in flat(results) if y is not None]

    def given() -> tuple[Any, ...]:
        return tuple([*mapped(torch.clone, xs)] for xs, _ in calls)

    with torch.no_grad(), tempfile.TemporaryDirectory() as folder:
        program = torch.export.export(Program(), given())
        file = f"{folder}/{subject.name}.pt2"
        loaded = torch._inductor.aoti_load_package(
            torch._inductor.aoti_compile_and_package(program, package_path=file)
        )
        got, wanted = (tuple(program(*given())) for program in (loaded, Program()))
        same_results(got, wanted, "of the packaged program")


def _requests(op: Op) -> list[list[int]]:
    """Return the sets of optional results to request, as lists of indices in `op.written`.

    The sets are: no result, each single result, and all results.
    """
    places = [n for n, t in enumerate(op.written) if t in op.on_request]
    return [[], *([n] for n in places), places]


def _is_taken(op: Op, number: int, asked: list[int]) -> bool:
    """Return whether the input at index `number` is needed if the results `asked` are requested."""
    only = op.asked_by(op.inputs[number])
    return not only or any(op.written[n].name in only for n in asked)


def _results(subject: OpUnderTest, inputs: list[Any], attrs: list[Any]) -> tuple[Any, ...]:
    return tupled(raw(subject)(*for_raw(subject, inputs), *attrs))


def transforms(subject: OpUnderTest, case: Case) -> None:
    """Check that other ways to compute gradients agree with `torch.autograd.grad`.

    They are `torch.func.grad`, `vmap` over `torch.func.grad`, and activation checkpointing.
    """
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
    for n, (a, b) in enumerate(zip(found, wanted)):
        same_gradient(subject, case, a, b, f"gradient {n} under a checkpoint")
    plain = [x.detach() for x in xs]
    gradient = torch.func.grad(loss, argnums=tuple(range(len(xs))))
    for n, (a, b) in enumerate(zip(gradient(*plain), wanted)):
        same_gradient(subject, case, a, b, f"gradient {n} by torch.func.grad")
    batched = torch.func.vmap(gradient)(*(torch.stack([x, x]) for x in plain))
    for a, b in zip(batched, wanted):
        torch.testing.assert_close(a, torch.stack([b, b]), equal_nan=True)


def _gradients(loss: Callable[..., torch.Tensor], xs: list[torch.Tensor]) -> list[torch.Tensor]:
    """Return the gradients of a loss. If an input has no gradient, return zeros for it."""
    found = torch.autograd.grad(loss(*xs), xs, allow_unused=True)
    return [torch.zeros_like(x) if g is None else g for x, g in zip(xs, found)]
