"""Calls of an op and its peers in PyTorch, ready to be timed."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import torch

from opgen.bench import tvm
from opgen.bench.agreement import Found
from opgen.bench.peers import OWN
from opgen.bench.probe import Rate
from opgen.bench.work import differentiable
from opgen.targets.torch import TORCH_NAMES
from opgen.testing.arrays import applied, flat, mapped, to_torch, tupled
from opgen.testing.environment import Case, environment
from opgen.testing.op_under_test import OpUnderTest
from opgen.testing.oracle import all_attributes

Function = Callable[..., object]
Call = Callable[[], object]
GPU = "cuda"  # PyTorch for ROCm uses the same name
GPU_BUFFER = 2**30
COMPILED = "torch.compile"


class TorchCalls:
    """Calls of one op and its peers in PyTorch, at one size, on one device."""

    directions = ("forward", "backward")
    forward_only = frozenset({tvm.NAME})

    def __init__(self, subject: OpUnderTest, case: Case, device: str) -> None:
        self.subject, self.case, self.device = subject, case, device
        self.place = "cpu" if device == "cpu" else GPU
        self.updated = [n for n, t in enumerate(subject.op.inputs) if t.update]

    @staticmethod
    def prepare(threads: int, device: str) -> None:
        """Configure PyTorch for measuring. Raises LookupError if the device is missing."""
        if device != "cpu":
            _find_gpu(device)
        torch.set_num_threads(threads)
        torch._dynamo.config.recompile_limit = 1024
        # Allow a compiled backward to run several times.
        torch._functorch.config.donated_buffer = False
        warnings.filterwarnings("ignore", module="torch")

    @staticmethod
    def rates() -> Mapping[str, Rate]:
        """Return the rates at which the GPU copies and reads data much larger than its caches."""
        source, target = (torch.ones(GPU_BUFFER // 4, device=GPU) for _ in range(2))
        found = (
            Rate("memcpy", "B/s", 2 * GPU_BUFFER, partial(target.copy_, source)),
            Rate("read", "B/s", GPU_BUFFER, source.sum),
        )
        return {rate.name: rate for rate in found}

    def inputs(self, arrays: Sequence[Any]) -> list[Any]:
        """Copy arrays to memory that PyTorch allocates on the device.

        Some PyTorch kernels rely on the alignment of such memory, but do not check it.
        """
        return mapped(lambda x: to_torch(x).to(self.place, copy=True), arrays)

    def own(self) -> Function:
        """Return the op as a function of its inputs only, with the attrs of the case."""
        attrs = _attributes(self.subject, self.case)
        given = {name: attrs[name] for name, _ in self.case.attrs}
        return partial(self.subject.wrapper("torch"), **given)

    def functions(self, peers: Mapping[str, Function]) -> dict[str, Function]:
        """Return the functions to measure: the op, the peers of the project, and the reference."""
        attrs = _attributes(self.subject, self.case)
        found: dict[str, Function] = {OWN: self.own()}
        found |= {name: partial(peer, **attrs) for name, peer in peers.items()}
        if self.subject.reference is not None:
            plain = partial(self._reference, all_attributes(self.subject, self.case))
            found["torch eager"] = plain
            found[COMPILED] = torch.compile(plain, dynamic=False)
        bound = tvm.kernel_call(self.subject, self.case) if self.device == "cpu" else None
        if bound is not None:
            found[tvm.NAME] = bound
        return found

    def forward(self, function: Function, sets: Sequence[list[Any]], turns: Iterator[int]) -> Call:
        """Return a function that calls `function` on the next set of inputs."""
        return lambda: function(*sets[next(turns)])

    def backward(self, function: Function, sets: Sequence[list[Any]], turns: Iterator[int]) -> Call:
        """Return a function that runs only the backward. The forward has already run."""
        graphs = [self._graph(function, inputs) for inputs in sets]
        grad = partial(torch.autograd.grad, retain_graph=True, allow_unused=True)
        return lambda: grad(*graphs[next(turns)])

    def saved_bytes(self, functions: Mapping[str, Function], inputs: list[Any]) -> int:
        """Return the bytes that all functions save for their backwards, not counting the inputs.

        A compiled function is not measured, because hooks would recompile it. It counts as much as
        the other function that saves the most bytes.
        """
        own = {y.untyped_storage().data_ptr() for y in _present(inputs)}
        found: list[int] = []
        for name, function in functions.items():
            if name == COMPILED:
                continue
            saved: dict[int, int] = {}

            def pack(y: torch.Tensor, saved: dict[int, int] = saved) -> torch.Tensor:
                saved[y.untyped_storage().data_ptr()] = y.untyped_storage().nbytes()
                return y

            with torch.autograd.graph.saved_tensors_hooks(pack, lambda y: y):
                # The graph stays alive, so that the addresses of its tensors are not reused.
                graph = self._graph(function, inputs)
            found.append(sum(size for place, size in saved.items() if place not in own))
            del graph
        return sum(found) + max(found) * (COMPILED in functions)

    def timed(self, call: Call) -> Call:
        """Return a function that returns the GPU time of `call`. On the CPU, return `call`."""
        return partial(_by_events, call) if self.self_timed else call

    @property
    def self_timed(self) -> bool:
        return self.place == GPU

    def copies(self, inputs: list[Any]) -> list[Any]:
        """Return copies of the inputs, because a call may update its inputs in place."""
        return mapped(torch.clone, inputs)

    def results(self, function: Function, inputs: list[Any]) -> list[Found]:
        """Return the results of a call on copies of the inputs, followed by the updated inputs."""
        own = self.copies(inputs)
        outputs = self.subject.filled(tupled(function(*own)))[: len(self.subject.op.outputs)]
        found = _present([*outputs, *(own[n] for n in self.updated)])
        return [Found(tuple(y.shape), str(y.dtype), y.double().cpu().numpy()) for y in found]

    def _reference(self, attrs: Mapping[str, object], *inputs: object) -> object:
        """Call the reference, and write the new values of updated inputs to these inputs.

        The reference itself has no side effects.
        """
        import array_api_compat.torch as xp

        found = self.subject.reference(xp, *inputs, **attrs)
        results = self.subject.results_of(found)
        if not self.updated:
            return results
        count = len(results) - len(self.updated)
        given = inputs + (None,) * (len(self.subject.op.inputs) - len(inputs))
        old = _present([given[n] for n in self.updated])
        for target, new in zip(old, _present(results[count:]), strict=True):
            target.copy_(new)
        return results[:count]

    def _graph(
        self, function: Function, inputs: list[Any]
    ) -> tuple[list[Any], list[Any], list[Any]]:
        """Run the forward. Return its outputs, the tensors that need gradients, and cotangents."""
        leaves: list[torch.Tensor] = []

        def leaf(x: torch.Tensor) -> torch.Tensor:
            leaves.append(x.detach().requires_grad_())
            return leaves[-1]

        active = differentiable(self.subject.op, self.case)
        given = [applied(leaf, x) if n in active else x for n, x in enumerate(inputs)]
        for place in self.updated:  # a leaf must not be updated in place
            given[place] = applied(torch.clone, given[place])
        outputs = [y for y in _present(tupled(function(*given))) if y.requires_grad]
        return outputs, leaves, [torch.randn_like(y) for y in outputs]


def _find_gpu(device: str) -> None:
    """Raise LookupError if PyTorch finds no GPU or was not built for `device`, CUDA or HIP."""
    own = "hip" if torch.version.hip else "cuda"
    if device != own:
        builds = {"hip": "ROCm", "cuda": "CUDA"}
        raise LookupError(
            f"PyTorch here is not one for {builds[device]}, and finds no {device} device"
        )
    if not torch.cuda.is_available():
        raise LookupError(f"PyTorch finds no {device} device")


def _present(values: Sequence[Any]) -> list[torch.Tensor]:
    """Return the tensors among the inputs or results of a call, also those in lists."""
    return [y for y in flat(values) if y is not None]


def _attributes(subject: OpUnderTest, case: Case) -> dict[str, object]:
    """Return the value of each attr by name. The value of a dtype attr is a `torch.dtype`."""
    values = environment(subject.op, case)
    return {
        attr.name: (
            getattr(torch, TORCH_NAMES[str(values[attr.name])])
            if attr.type == "dtype"
            else values[attr.name]
        )
        for attr in subject.op.attrs
    }


def _by_events(call: Call, loops: int = 20) -> float:
    """Return the seconds per call, measured with events on the device."""
    start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    start.record()
    for _ in range(loops):
        call()
    end.record()
    end.synchronize()
    elapsed: float = start.elapsed_time(end)
    return elapsed / 1e3 / loops
