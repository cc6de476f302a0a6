"""Bindings of rms_norm's kernels to JAX, written by hand: through XLA's FFI, and through
jax-tvm-ffi.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib.util import find_spec

import jax
import jax.numpy as jnp
import numpy as np

import generated.jax  # noqa: F401 (registers what `ffi_call` names)
from bench import tvm_by_hand
from generated import core

Norm = Callable[[jax.Array, jax.Array], jax.Array]
Bound = Callable[..., tuple[jax.Array, jax.Array]]
EPS = np.float64(1e-5)


def ffi_call() -> Norm:
    """Return rms_norm as a jitted `jax.ffi.ffi_call`. Its gradient calls the backward kernel in the
    same way.
    """

    def bind(op: str, types) -> Bound:
        attrs = {"batch_dims": np.int64(0), "op_hash": np.int64(getattr(core, op).op_hash)}
        return partial(jax.ffi.ffi_call(f"generated.{op}", types), **attrs, eps=EPS)

    def forward(x: jax.Array, weight: jax.Array):
        y, invvar = (_like(x, weight.dtype), _like(x[..., 0], jnp.float32))
        return bind("rms_norm", (y, invvar))(x, weight)

    def backward(dy, invvar, x, weight):
        types = (_like(x, x.dtype), _like(weight, jnp.float32))
        return bind("rms_norm_bwd", types)(dy, invvar, x, weight)

    return _differentiable(forward, backward)


def tvm() -> Norm | None:
    """Return rms_norm through jax-tvm-ffi, for f32 on one thread; None if jax-tvm-ffi is not
    installed.
    """
    if find_spec("jax_tvm_ffi") is None:
        return None
    import jax_tvm_ffi

    module = tvm_by_hand.load()
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
