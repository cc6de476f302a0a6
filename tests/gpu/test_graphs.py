"""Each op in a CUDA graph is captured once, and computes new values when the graph is replayed."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch

from opgen.testing import torch_checks
from opgen.testing.arrays import flat
from opgen.testing.draw import draw
from opgen.testing.environment import Case
from opgen.testing.op_under_test import OpUnderTest
from opgen.testing.torch_checks import floating
from tests.gpu.test_kernels import DEVICE, calls, subjects

if DEVICE != "cuda":
    pytest.skip("graphs are CUDA's", allow_module_level=True)
pytestmark = pytest.mark.gpu
# The last device: on a machine with two GPUs, another one is current before and after a call.
ON = f"cuda:{torch.cuda.device_count() - 1}"


def params() -> list:
    """Return each op with its first non-empty call, once without and once with a gradient."""
    found = []
    for subject in subjects():
        chosen: dict[bool, Case] = {}
        for case in calls(subject):
            if all(value != 0 for _, value in case.sizes):
                chosen.setdefault(subject.differentiable(case), case)
        found += [pytest.param(subject, case, id=subject.name) for case in chosen.values()]
    return found


@pytest.mark.parametrize("subject, case", params())
def test_replay(subject: OpUnderTest, case: Case) -> None:
    grad = subject.differentiable(case)
    values = [draw(subject.op, replace(case, seed=case.seed + n)) for n in range(2)]
    first, second, wanted = (
        torch_checks.tensors(subject, values[n], grad=grad, device=ON) for n in (0, 1, 1)
    )
    cotangents: list[torch.Tensor] = []

    def step(inputs: list) -> list:
        results = [*flat(torch_checks.call(subject, case, inputs))]
        active = [x for x in flat(inputs) if x is not None and x.requires_grad]
        ys = [y for y in results if y is not None and floating(y) and y.requires_grad]
        if grad and ys:
            if not cotangents:
                cotangents.extend(
                    torch.linspace(-1, 1, y.numel()).reshape(y.shape).to(y) for y in ys
                )
            results += torch.autograd.grad(ys, active, cotangents, allow_unused=True)
        return [x.detach() for x in [*results, *flat(inputs)] if x is not None]

    expected = step(wanted)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.device(ON):
        if any(result.length for result in subject.op.results):
            with pytest.raises(RuntimeError, match="[Cc]aptur"):  # it waits for a length
                with torch.cuda.graph(graph):
                    step(first)
            return
        with torch.cuda.graph(graph):
            found = step(first)
        with torch.no_grad():
            for to, x in zip(flat(first), flat(second)):
                if x is not None:
                    to.copy_(x)
        graph.replay()
        torch.cuda.synchronize()
    for n, (a, b) in enumerate(zip(found, expected, strict=True)):
        torch_checks.same_bits(a, b, f"result, gradient or argument {n} of a replay")


def test_a_wait_is_refused() -> None:
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.device(ON):
        x = torch.arange(4.0, device=ON)
        with pytest.raises(RuntimeError, match="[Cc]aptur"):
            with torch.cuda.graph(graph):
                x.cpu()
