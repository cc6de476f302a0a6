"""The gated activation `silu_and_mul`, as a Pallas kernel."""

import jax
import jax.numpy as jnp


def silu_and_mul(x, y, d):
    """Compute a block of rows of `silu_and_mul`. x: (rows, 2 * d); y: (rows, d)."""
    a, b = x[:, :d].astype(jnp.float32), x[:, d:].astype(jnp.float32)
    y[...] = (a * jax.nn.sigmoid(a) * b).astype(y.dtype)
