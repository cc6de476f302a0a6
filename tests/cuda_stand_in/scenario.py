"""Check a few ops so that each fault in `faults.toml` makes a check fail. `run()` reports which.

Tensors are on device 1 while device 0 is the current device, and streams are new. In the package
with planted faults, `relu` fills its result with zeros if it has `FILLED` elements.
"""

from __future__ import annotations

import ctypes
import warnings
from collections.abc import Callable

import torch

from tests.cuda_stand_in import aten, device
from tests.cuda_stand_in.libraries import CUDART
from tests.cuda_stand_in.paths import LIBRARIES

FILLED = 71
OUT_OF_RESOURCES = 701  # cudaErrorLaunchOutOfResources
Call = Callable[..., torch.Tensor | tuple[torch.Tensor, ...]]


def calls() -> dict[str, tuple[list[torch.Tensor], Call, bool]]:
    """Return the calls by name: the tensors, a function of them, and True if it has a gradient."""
    import generated.torch as ops

    torch.manual_seed(0)
    rows, weight = torch.randn(5, 40), torch.randn(40)
    lists = [torch.rand(s) for s in [(7,), (2, 9)] * 4]

    def adamw(*flat: torch.Tensor) -> tuple[torch.Tensor, ...]:
        parts = [list(flat[n : n + 2]) for n in range(0, 8, 2)]
        ops.adamw_(*parts, flat[8], flat[9])
        return flat

    return {
        "relu": ([torch.randn(64)], ops.relu, True),
        "relu of columns": ([torch.randn(6, 6).t()], ops.relu, True),
        "relu of nothing": ([torch.randn(0, 3)], ops.relu, False),
        "fill": ([torch.randn(FILLED)], ops.relu, False),
        "rms_norm": ([rows, weight], ops.rms_norm, True),
        "dropout": ([rows, torch.tensor(7)], ops.dropout, False),
        "fused_add_rms_norm": ([rows, rows + 1, weight], ops.fused_add_rms_norm, False),
        "adamw_": ([*lists, torch.tensor(1.0), torch.tensor(0.1)], adamw, False),
    }


def results(tensors: list[torch.Tensor], call: Call, gradient: bool, where: str) -> list:
    """Make a call on the device `where`. Return CPU copies of results, arguments and gradients."""
    moved = [torch.empty_strided(x.shape, x.stride(), device=where, dtype=x.dtype) for x in tensors]
    for to, x in zip(moved, tensors):
        to.copy_(x).requires_grad_(gradient)
    made = call(*moved)
    found = [*(made if isinstance(made, tuple) else (made,)), *moved]
    if gradient:
        cotangent = torch.linspace(-1, 1, found[0].numel()).reshape(found[0].shape)
        there = cotangent.to(where)
        found += torch.autograd.grad(found[0], moved, there)
        found.append(there)
    return [x.detach().cpu() for x in found]


def check_values(on: torch.device) -> None:
    """Assert that results, gradients and updated arguments equal those on the CPU."""
    for name, given in calls().items():
        for n, (a, b) in enumerate(zip(results(*given, "cpu"), results(*given, str(on)))):
            torch.testing.assert_close(b, a, msg=lambda told: f"{name}, tensor {n}: {told}")
        told(name)


def check_places(on: torch.device) -> None:
    """Assert that kernels and fills use the current stream of the tensors' device without waits."""
    for name, (tensors, call, _) in calls().items():
        moved = [x.to(on) for x in tensors]
        device.synchronize()
        device.happenings()
        torch.cuda.Event().record(torch.cuda.current_stream(on))
        made = call(*moved)
        own, *found = device.happenings()
        for each in found:
            place = f"{name}: {each.kind} on device {each.device}, stream {each.stream}"
            assert (each.device, each.stream) == (own.device, own.stream), place
            assert each.kind != "wait", f"{name}: a wait {each.what}"
        launched = [h for h in found if h.kind in ("launch", "fill")]
        assert launched or "nothing" in name, f"{name}: no kernel"
        for x in made if isinstance(made, tuple) else (made,):
            assert x.device == on, f"{name}: a result on {x.device}"
        told(name)


def check_streams(on: torch.device) -> None:
    """Assert that calls on another stream or another device run there, in the order of events."""
    import generated.torch as ops

    x = torch.randn(64)
    first = x.to(on)
    side = torch.cuda.Stream(on)
    side.wait_stream(torch.cuda.current_stream(on))
    with torch.cuda.stream(side):
        y = ops.relu(first)
    torch.cuda.current_stream(on).wait_stream(side)
    torch.testing.assert_close(y.cpu(), x.relu())
    first.record_stream(side)
    y.record_stream(torch.cuda.current_stream(on))
    torch.cuda.set_device(0)
    other = ops.relu(x.to("cuda:0"))
    torch.testing.assert_close(other.cpu(), x.relu())
    told("streams")


def check_refused(on: torch.device) -> None:
    """Assert that a call with tensors on two devices raises an error."""
    import generated.torch as ops

    for other in ("cpu", "cuda:0"):
        try:
            ops.rms_norm(torch.randn(5, 40).to(on), torch.randn(40).to(other))
        except (RuntimeError, TypeError, ValueError) as error:
            assert "expected" in str(error), error
        else:
            raise AssertionError(f"a weight on {other} is taken")
    told("devices")


def check_errors(on: torch.device) -> None:
    """Assert that an error of CUDA names the op, and affects neither arguments nor later calls."""
    runtime = ctypes.CDLL(str(LIBRARIES / CUDART))
    for name, (tensors, call, _) in calls().items():
        if "nothing" in name or "columns" in name:
            continue
        function = "cudaMemset" if name == "fill" else "cudaLaunchKernel"
        moved = [x.to(on) for x in tensors]
        with device.failing(function, OUT_OF_RESOURCES):
            try:
                call(*moved)
            except RuntimeError as error:
                expected = "fill" if name == "fill" else name.split()[0]
                assert expected in str(error), f"{name}: {error}"
            else:
                raise AssertionError(f"{name}: an error of {function} is swallowed")
            assert runtime.cudaPeekAtLastError() == 0, f"{name}: the next call finds the error"
        for x, same in zip(moved, tensors):
            assert torch.equal(x.cpu(), same), f"{name}: changed, and failed"
    told("errors")


def told(name: str) -> None:
    """Wait for all work of a check. Raise AssertionError if the stand-in has found a violation."""
    device.synchronize()
    assert torch.cuda.current_device() == 0, f"{name}: the current device has changed"
    found = device.violations()
    assert not found, f"{name}: {found[0]}"


CHECKS = (check_values, check_places, check_streams, check_refused, check_errors)


def run() -> str:
    """Run the checks up to the first failure. Return its message, or "" if all pass."""
    warnings.simplefilter("ignore")
    device.allocate_each_tensor()
    aten.install()
    on = torch.device("cuda", 1)
    with device.own_streams():
        for check in CHECKS:
            try:
                check(on)
            except Exception as error:  # from CUDA, from PyTorch, or a failed assertion
                found = [str(error).splitlines()[0], *device.violations()]
                return f"{check.__name__}: {'; '.join(found)}"
    return ""
