"""Bindings of rms_norm's kernels to PyTorch, written by hand. Each is a function of `x` and
`weight`.

Some use PyTorch's dispatcher. Plain pybind11 and tvm-ffi do not use the dispatcher; they are here
for comparison.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

import torch
from torch import Tensor

import generated.torch
from bench import tvm_by_hand
from opgen.build.runtime_files import include_dir

GENERATED = Path(generated.torch.__file__).parents[1]
SOURCE = Path(__file__).with_name("torch_by_hand.cpp")
Norm = Callable[[Tensor, Tensor], Tensor]
Forward = Callable[[Tensor, Tensor, float], tuple[Tensor, Tensor]]
Backward = Callable[[Tensor, Tensor, Tensor, Tensor, float], tuple[Tensor, Tensor]]
EPS = 1e-5


def bindings() -> dict[str, Norm]:
    """Return the bindings that use PyTorch's dispatcher, by name. The first call compiles C++ for a
    minute.
    """
    extension, ops = _extension(), torch.ops.by_hand
    registered = ops.registered.default
    torch.library.register_autograd(
        "by_hand::registered", _pull(ops.backward.default), setup_context=_keep
    )
    function = _function(ops.forward.default, ops.backward.default)
    return {
        "C++ autograd::Function": lambda x, w: ops.norm.default(x, w, EPS),
        "register_autograd": lambda x, w: registered(x, w, EPS)[0],
        "autograd.Function": lambda x, w: function(x, w, EPS)[0],
        "torch.library.custom_op": _custom_op(extension),
    }


def others() -> dict[str, tuple[Norm, Norm]]:
    """Return the bindings outside the dispatcher by name, each as a pair: a plain function, and one
    with an `autograd.Function`.
    """
    pairs = {"pybind11": (_extension().forward, _extension().backward)}
    if find_spec("tvm_ffi") is not None:
        pairs["tvm-ffi"] = _tvm()
    return {name: (_plain(f), _recorded(f, b)) for name, (f, b) in pairs.items()}


def _extension() -> ModuleType:
    """Compile the C++ extension that calls the kernels of the generated package, and return its
    module.
    """
    from torch.utils.cpp_extension import load

    library = tvm_by_hand.kernels()
    return load(
        "opgen_bench_by_hand",
        [str(SOURCE)],
        extra_cflags=["-O2", "-std=c++20"],
        extra_include_paths=[str(GENERATED / "cpp"), str(include_dir())],
        extra_ldflags=[str(library), f"-Wl,-rpath,{library.parent}"],
    )


def _plain(forward: Forward) -> Norm:
    return lambda x, w: forward(x, w, EPS)[0]


def _recorded(forward: Forward, backward: Backward) -> Norm:
    function = _function(forward, backward)
    return lambda x, w: function(x, w, EPS)[0]


def _keep(ctx, inputs, output) -> None:
    x, weight, ctx.eps = inputs
    _, invvar = output
    ctx.mark_non_differentiable(invvar)
    ctx.save_for_backward(invvar, x, weight)


def _pull(backward: Backward) -> Callable[..., tuple[Tensor, Tensor, None]]:
    def pull(ctx, dy, _):
        return *backward(dy, *ctx.saved_tensors, ctx.eps), None

    return pull


def _function(forward: Forward, backward: Backward) -> Forward:
    """Return a function that calls an `autograd.Function` in Python with this forward and backward."""

    class Function(torch.autograd.Function):
        setup_context = staticmethod(_keep)

    Function.forward = staticmethod(lambda x, weight, eps: forward(x, weight, eps))
    Function.backward = staticmethod(_pull(backward))
    return Function.apply


def _custom_op(extension: ModuleType) -> Norm:
    @torch.library.custom_op("by_hand::custom", mutates_args=())
    def custom(x: Tensor, weight: Tensor, eps: float) -> tuple[Tensor, Tensor]:
        return extension.forward(x, weight, eps)

    @torch.library.custom_op("by_hand::custom_bwd", mutates_args=())
    def custom_bwd(
        dy: Tensor, invvar: Tensor, x: Tensor, weight: Tensor, eps: float
    ) -> tuple[Tensor, Tensor]:
        return extension.backward(dy, invvar, x, weight, eps)

    custom.register_autograd(_pull(custom_bwd), setup_context=_keep)
    return lambda x, w: custom(x, w, EPS)[0]


def _tvm() -> tuple[Forward, Backward]:
    """Return forward and backward functions that allocate the results and call the kernels through
    tvm-ffi.
    """
    module = tvm_by_hand.load()

    def forward(x: Tensor, weight: Tensor, eps: float) -> tuple[Tensor, Tensor]:
        y, invvar = torch.empty_like(x), x.new_empty(x.shape[:-1])
        module.forward(x, weight, y, invvar, eps)
        return y, invvar

    def backward(dy, invvar, x, weight, eps) -> tuple[Tensor, Tensor]:
        dx, dweight = torch.empty_like(x), torch.empty_like(weight)
        parts = x.new_empty(16, *weight.shape)
        module.backward(dy, invvar, x, weight, dx, dweight, parts, eps)
        return dx, dweight

    return forward, backward
