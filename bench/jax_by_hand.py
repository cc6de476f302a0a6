"""rms_norm's kernels as people bind them to JAX by hand: through XLA's FFI, and by jax-tvm-ffi."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np

import generated.jax
from opgen.runtime import include_dir

GENERATED = Path(generated.jax.__file__).parents[1]
Norm = Callable[[jax.Array, jax.Array], jax.Array]
Bound = Callable[..., tuple[jax.Array, jax.Array]]
EPS = np.float64(1e-5)

TVM_SOURCE = """
#include "rms_norm.h"

namespace {

opgen::Buffer buffer(tvm::ffi::TensorView tensor) {
  return {tensor.data_ptr(), tensor.shape().data(), tensor.strides().data(),
          static_cast<int32_t>(tensor.ndim()), opgen::ElementType::F32};
}

template <class Descriptor>
Descriptor describe(tvm::ffi::TensorView x, double eps) {
  return {static_cast<int32_t>(x.size(0)), static_cast<int32_t>(x.size(1)), eps,
          opgen::ElementType::F32, opgen::ElementType::F32, 16};
}

}  // namespace

void forward(tvm::ffi::TensorView x, tvm::ffi::TensorView weight, tvm::ffi::TensorView y,
             tvm::ffi::TensorView invvar, double eps) {
  const auto desc = describe<generated::RmsNormDescriptor>(x, eps);
  const opgen::Context ctx;
  const generated::RmsNormArgs args{&desc, &ctx, buffer(y), buffer(invvar), buffer(x),
                                    buffer(weight)};
  generated::generated_rms_norm_cpu(&args);
}

void backward(tvm::ffi::TensorView dy, tvm::ffi::TensorView invvar, tvm::ffi::TensorView x,
              tvm::ffi::TensorView weight, tvm::ffi::TensorView dx, tvm::ffi::TensorView dweight,
              tvm::ffi::TensorView part_grad, double eps) {
  const auto desc = describe<generated::RmsNormBwdDescriptor>(x, eps);
  const opgen::Context ctx;
  const generated::RmsNormBwdArgs args{&desc,        &ctx,       buffer(dx),     buffer(dweight),
                                       buffer(part_grad), buffer(dy), buffer(invvar), buffer(x),
                                       buffer(weight)};
  generated::generated_rms_norm_bwd_cpu(&args);
}
"""


def ffi_call() -> Norm:
    """A jitted `jax.ffi.ffi_call` of the forward, with the backward's as its gradient."""

    def bind(target: str, types) -> Bound:
        return partial(jax.ffi.ffi_call(target, types), batch_dims=np.int64(0), eps=EPS)

    def forward(x: jax.Array, weight: jax.Array):
        y, invvar = (_like(x, weight.dtype), _like(x[..., 0], jnp.float32))
        return bind("generated.rms_norm", (y, invvar))(x, weight)

    def backward(dy, invvar, x, weight):
        types = (_like(x, x.dtype), _like(weight, jnp.float32))
        return bind("generated.rms_norm_bwd", types)(dy, invvar, x, weight)

    return _differentiable(forward, backward)


def tvm() -> Norm | None:
    """The same kernels by jax-tvm-ffi, for f32 and on one thread; None: not installed."""
    if find_spec("jax_tvm_ffi") is None:
        return None
    import jax_tvm_ffi
    import tvm_ffi.cpp

    (library,) = (GENERATED / "lib").glob("lib*_kernels-*.so")
    module = tvm_ffi.cpp.load_inline(
        "by_hand",
        cpp_sources=TVM_SOURCE,
        functions=["forward", "backward"],
        extra_include_paths=[str(GENERATED / "cpp"), str(include_dir())],
        extra_ldflags=[str(library), f"-Wl,-rpath,{library.parent}"],
    )
    order = ["args", "rets", "attrs.eps"]
    for name in ("forward", "backward"):
        function = getattr(module, name)
        jax_tvm_ffi.register_ffi_target(f"by_hand.{name}", function, order)

    def forward(x: jax.Array, weight: jax.Array):
        types = (_like(x, weight.dtype), _like(x[..., 0], jnp.float32))
        return jax.ffi.ffi_call("by_hand.forward", types)(x, weight, eps=EPS)

    def backward(dy, invvar, x, weight):
        part_grad = jax.ShapeDtypeStruct((16, *weight.shape), jnp.float32)
        types = (_like(x, x.dtype), _like(weight, jnp.float32), part_grad)
        call = jax.ffi.ffi_call("by_hand.backward", types)
        return call(dy, invvar, x, weight, eps=EPS)[:2]

    return _differentiable(forward, backward)


def _like(x: jax.Array, dtype: jnp.dtype) -> jax.ShapeDtypeStruct:
    return jax.ShapeDtypeStruct(x.shape, dtype)


def _differentiable(forward: Bound, backward: Bound) -> Norm:
    @jax.custom_vjp
    def norm(x, weight):
        return forward(x, weight)[0]

    def keep(x, weight):
        y, invvar = forward(x, weight)
        return y, (x, weight, invvar)

    def pull(saved, dy):
        x, weight, invvar = saved
        dx, dweight = backward(dy, invvar, x, weight)
        return dx, dweight.astype(weight.dtype)

    norm.defvjp(keep, pull)
    return jax.jit(norm)
