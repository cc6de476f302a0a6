import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl


def scaled_matmul(x, w, bias, scale, y, size, sum, *, negate, n, k, fast=False):
    """x: (rows, K); w: (K, N); bias: (1, N) or None; scale: (1, 1); y, sum: (rows, N); size: (rows, 1)."""
    column, step = pl.program_id(1), pl.program_id(2)
    steps, f32 = pl.num_programs(2), jnp.float32

    @pl.when(step == 0)
    def _():
        sum[...] = jnp.zeros_like(sum)

    def inside(ref, axis, begin, count):
        return jax.lax.broadcasted_iota(jnp.int32, ref.shape, axis) + begin < count

    a = jnp.where(inside(x, 1, step * x.shape[1], k), x[...].astype(f32), 0.0)
    b = jnp.where(inside(w, 0, step * w.shape[0], k), w[...].astype(f32), 0.0)
    sum[...] += jnp.dot(a, b, preferred_element_type=f32)

    @pl.when(step == steps - 1)
    def _():
        z = sum[...] if bias is None else sum[...] + bias[...].astype(f32)
        z = z * (-scale[0, 0] if negate else scale[0, 0])
        y[...] = z.astype(y.dtype)
        if size is not None:
            z = jnp.where(inside(y, 1, column * y.shape[1], n), z, 0.0)
            before = jnp.where(column == 0, 0.0, size[...])
            size[...] = before + jnp.sum(z * z, axis=1, keepdims=True)
