"""acme_ops in JAX: values, gradients, and features that need no line of code."""

import sys

import jax
import jax.numpy as jnp
import numpy as np
from jax.test_util import check_grads

jax.config.update("jax_enable_x64", True)

from acme_ops.jax import gain, scaled_square  # noqa: E402

x = jax.random.normal(jax.random.key(0), (5, 7))
np.testing.assert_allclose(scaled_square(x, scale=3.0), 3 * x**2, rtol=1e-12)
total = jax.jit(jax.grad(lambda x: scaled_square(x, scale=3.0).sum()))
np.testing.assert_allclose(total(x), 6 * x, rtol=1e-12)
check_grads(scaled_square, (x,), order=2, modes=["rev"])
np.testing.assert_allclose(jax.vmap(scaled_square)(x), x**2, rtol=1e-12)

weight = jax.random.normal(jax.random.key(2), (7,))
np.testing.assert_allclose(gain(x, weight), x * weight, rtol=1e-12)
check_grads(gain, (x, weight), order=2, modes=["rev"])

wide = jax.random.normal(jax.random.key(1), (1000, 129), jnp.float32)
np.testing.assert_allclose(scaled_square(wide, scale=0.5), 0.5 * wide**2, rtol=1e-6)

try:
    scaled_square(wide.astype(jnp.int32))
except TypeError as refusal:
    assert "scaled_square" in str(refusal) and "i32" in str(refusal), refusal
else:
    raise AssertionError("i32 is not in the spec")

assert "torch" not in sys.modules
assert sys.modules["opgen"] is None
