"""What reference functions compute with: the array API, `erf` and `erfc`; PyTorch's has them."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any


class Namespace:
    """A module, and functions that it lacks."""

    def __init__(self, module: Any, **more: Callable[..., Any]) -> None:
        self._module = module
        self.__dict__.update(more)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._module, name)


def numpy_namespace() -> Namespace:
    """NumPy's, whose functions are of one float64 after the other."""
    import array_api_compat.numpy as xp
    import numpy as np

    def each(function: Callable[[float], float]) -> Callable[[Any], Any]:
        vectorised = np.vectorize(function, otypes=[float])
        return lambda x: vectorised(x).astype(x.dtype)

    return Namespace(xp, erf=each(math.erf), erfc=each(math.erfc))


def jax_namespace() -> Namespace:
    """JAX's."""
    import jax.numpy as jnp
    from jax import lax

    return Namespace(jnp, erf=lax.erf, erfc=lax.erfc)
