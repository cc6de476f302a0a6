"""Root-mean-square normalization and its gradients, as Pallas kernels."""

import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl


def rms_norm(x, weight, y, invvar, *, eps):
    """Compute a block of rows of `rms_norm`. x, y: (rows, d); weight: (1, d); invvar: (rows, 1)."""
    v = x[...].astype(jnp.float32)
    r = jax.lax.rsqrt(jnp.mean(v * v, axis=1, keepdims=True) + eps)
    y[...] = (v * r * weight[...].astype(jnp.float32)).astype(y.dtype)
    invvar[...] = r


def rms_norm_bwd(dy, x, weight, invvar, dx, dweight, *, batch):
    """Compute the gradients for a block of rows. dy, x, dx: (rows, d); weight, dweight: (1, d);
    invvar: (rows, 1).

    All programs add to the same block of `dweight`, one program after the other. `dweight` is None
    if the caller does not request it.
    """
    v, g, r = x[...].astype(jnp.float32), dy[...].astype(jnp.float32), invvar[...]
    h = g * weight[...].astype(jnp.float32)
    mean = jnp.mean(h * v, axis=1, keepdims=True)
    dx[...] = (r * (h - v * (r * r) * mean)).astype(dx.dtype)
    if dweight is None:
        return

    @pl.when(pl.program_id(0) == 0)
    def _():
        dweight[...] = jnp.zeros_like(dweight)

    # Beyond the last row of an array, a block contains arbitrary values, even NaN.
    row = jax.lax.broadcasted_iota(jnp.int32, r.shape, 0) + pl.program_id(0) * x.shape[0]
    dweight[...] += jnp.sum(jnp.where(row < batch, g * v * r, 0.0), axis=0, keepdims=True)
