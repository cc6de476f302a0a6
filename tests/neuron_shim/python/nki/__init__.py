"""Stand-in for AWS Neuron's `nki`: kernels run over NumPy arrays. See ../../README.md.

It raises `Refused` for what the hardware or the compiler refuse, by the documentation. Each program
of a launch is a thread that runs the whole function. All programs of a launch share one tensor for
each allocation in shared HBM. A kernel takes NumPy arrays, tensors of PyTorch, and tracers of JAX.
"""

from __future__ import annotations

import ast
import functools
import inspect
import sys
import textwrap
import threading
from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np

from nki import language
from nki.language import NkiTensor, Refused

MOST_PROGRAMS = 2  # a logical core has one or two physical cores
WIDE = ("int64", "uint64", "float64")


class Kernel:
    """A kernel function, and the number of cores for its launch: `kernel[2](a, b)`."""

    def __init__(self, function: Callable[..., Any], lnc: int = 1) -> None:
        self.func, self.lnc = function, lnc
        self.__name__ = function.__name__

    def __getitem__(self, lnc: int) -> Kernel:
        if not isinstance(lnc, int) or not 1 <= lnc <= MOST_PROGRAMS:
            raise Refused(f"{self.__name__}[{lnc}]: a kernel is launched on 1 or 2 cores")
        return Kernel(self.func, lnc)

    def __call__(self, *args: Any) -> Any:
        torch, jax = sys.modules.get("torch"), sys.modules.get("jax")
        if torch and any(isinstance(x, torch.Tensor) for x in args):
            return _on_torch(torch, self, args)
        if jax and any(isinstance(x, jax.Array) for x in args):
            return _on_jax(jax, self, args)
        return run(self, args)


def jit(function: Callable[..., Any]) -> Kernel:
    return Kernel(function)


def simulate(kernel: Kernel) -> Callable[..., Any]:
    """Return the kernel as a function of NumPy arrays."""
    return lambda *args: run(kernel, args)


def run(kernel: Kernel, args: tuple[Any, ...]) -> Any:
    """Return the results of one launch, as NumPy arrays."""
    check_source(kernel.func)
    bound = inspect.signature(kernel.func).bind(*args).arguments
    given = [_argument(name, value) for name, value in bound.items()]
    launch = language.Launch(kernel.lnc)
    results: list[Any] = [None] * kernel.lnc
    errors: list[BaseException] = []

    def work(program: int) -> None:
        language.start(launch, program)
        try:
            results[program] = kernel.func(*given)
        except BaseException as error:  # the caller raises it
            errors.append(error)
            launch.barrier.abort()

    threads = [threading.Thread(target=work, args=(n,)) for n in range(kernel.lnc)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for error in sorted(errors, key=lambda e: isinstance(e, threading.BrokenBarrierError)):
        raise error
    found = results[0] if isinstance(results[0], tuple) else (results[0],)
    arrays = tuple(map(_result, found))
    return arrays if isinstance(results[0], tuple) else arrays[0]


def _argument(name: str, value: Any) -> Any:
    if isinstance(value, list):
        raise Refused(f"{name}: a kernel takes no list: give a tuple")
    if not isinstance(value, np.ndarray):
        return value
    if value.dtype.name in WIDE:
        raise Refused(f"{name}: {value.dtype}: kernels compute in 32 bits: cast it before the call")
    if value.ndim == 0:
        raise Refused(f"{name}: a tensor has at least one dim")
    return NkiTensor(value.copy(), "shared_hbm", np.ones(value.shape, bool), name)


def _result(tensor: Any) -> np.ndarray:
    if not isinstance(tensor, NkiTensor) or tensor.buffer != language.shared_hbm:
        raise Refused("what a kernel returns is in shared HBM: buffer=nl.shared_hbm")
    missing = int((~tensor.written).sum())
    if missing:
        raise Refused(f"{missing} elements of a {tensor.shape} result are never stored")
    return tensor.array


def check_source(function: Callable[..., Any]) -> None:
    """Raise `Refused` for Python code that NKI's compiler does not accept, in the kernel's module.

    Functions of other modules are not checked: nki-library's own helpers contain `is`, which the
    release notes of NKI 0.3.0 call unsupported.
    """
    seen, todo = set(), [function]
    while todo:
        each = todo.pop()
        seen.add(each.__name__)
        tree = ast.parse(textwrap.dedent(inspect.getsource(each)))
        for node in ast.walk(tree):
            if isinstance(node, ast.arguments) and node.kwonlyargs:
                raise Refused(f"{each.__name__}: keyword-only arguments: leave out the `*`")
            if isinstance(node, ast.Compare):
                if any(isinstance(op, ast.Is | ast.IsNot) for op in node.ops):
                    raise Refused(f"{each.__name__}, line {node.lineno}: `is`: use `==`")
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                called = each.__globals__.get(node.func.id)
                near = inspect.isfunction(called) and called.__module__ == function.__module__
                if near and called.__name__ not in seen:
                    todo.append(called)


def _on_torch(torch: Any, kernel: Kernel, args: tuple[Any, ...]) -> Any:
    """Run a kernel on PyTorch tensors, through host memory."""
    device = next(x.device for x in args if isinstance(x, torch.Tensor))

    def to_numpy(x: Any) -> Any:
        if not isinstance(x, torch.Tensor):
            return x
        if not x.is_contiguous():
            raise Refused(f"strides {x.stride()}: no public page says that a kernel takes them")
        x = x.detach().cpu()
        if x.dtype == torch.bfloat16:
            return x.view(torch.int16).numpy().view(ml_dtypes.bfloat16)
        return x.numpy()

    def from_numpy(x: np.ndarray) -> Any:
        if x.dtype == ml_dtypes.bfloat16:
            return torch.from_numpy(x.view(np.int16)).view(torch.bfloat16).to(device)
        return torch.from_numpy(x).to(device)

    results = run(kernel, tuple(map(to_numpy, args)))
    return tuple(map(from_numpy, results)) if isinstance(results, tuple) else from_numpy(results)


def _on_jax(jax: Any, kernel: Kernel, args: tuple[Any, ...]) -> Any:
    """Call a kernel as a callback to the host; for Neuron, as a custom call in the HLO.

    A run on zeros gives the types of the results.
    """
    places = [n for n, x in enumerate(args) if isinstance(x, jax.Array)]

    def call(*arrays: Any) -> Any:
        given = dict(zip(places, map(np.asarray, arrays)))
        return run(kernel, tuple(given.get(n, x) for n, x in enumerate(args)))

    with np.errstate(all="ignore"):
        tried = call(*(np.zeros(args[n].shape, args[n].dtype) for n in places))
    types = jax.tree.map(lambda x: jax.ShapeDtypeStruct(x.shape, x.dtype), tried)
    target = f"{kernel.__name__}[{kernel.lnc}]"
    arrays = [args[n] for n in places]
    foreign = jax.ffi.ffi_call(target, types)
    callback = functools.partial(jax.pure_callback, call, types)
    return jax.lax.platform_dependent(*arrays, neuron=foreign, default=callback)
