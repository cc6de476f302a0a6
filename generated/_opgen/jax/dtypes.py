"""JAX's element types by their names in specs."""

import jax.numpy as jnp

from ..core import dtypes

DTYPES = {name: jnp.dtype(dtype.numpy) for name, dtype in dtypes.DTYPES.items()}
# The codes that represent dtypes in descriptors and in attributes of custom calls.
CODES = {name: dtype.code for name, dtype in dtypes.DTYPES.items()}
