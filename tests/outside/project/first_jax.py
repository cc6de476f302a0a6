"""The first tutorial in JAX: docs/tutorials/first-op.md."""

import jax
import numpy as np
from acme_ops.jax import scaled_square

x = jax.random.normal(jax.random.key(0), (5, 7))
np.testing.assert_allclose(scaled_square(x, scale=3.0), 3 * x**2, rtol=1e-6)
slope = jax.jit(jax.grad(lambda x: scaled_square(x, scale=3.0).sum()))
np.testing.assert_allclose(slope(x), 6 * x, rtol=1e-6)
np.testing.assert_allclose(jax.vmap(scaled_square)(x), x**2, rtol=1e-6)
