"""JAX's element types by their names in specs."""

import jax.numpy as jnp

from ..core import dtypes

DTYPES = {name: jnp.dtype(dtype.numpy) for name, dtype in dtypes.DTYPES.items()}
# A dtype that is an attribute travels as its code in descriptors.
CODES = {name: dtype.code for name, dtype in dtypes.DTYPES.items()}
