"""The array namespaces for references: the array API, plus `erf` and `erfc` as in PyTorch."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from opgen.language.dtypes import DTYPES


class Namespace:
    """A module with additional functions."""

    def __init__(self, module: Any, **more: Any) -> None:
        self._module = module
        self.__dict__.update(more)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._module, name)


def numpy_namespace() -> Namespace:
    """Return NumPy's array API with `erf`, `erfc` and the dtypes of ml_dtypes added.

    `erf` and `erfc` compute one element at a time. The dtypes have the same names in PyTorch and
    JAX, such as `bfloat16`.
    """
    import array_api_compat.numpy
    import ml_dtypes
    import numpy as np

    xp: Any = array_api_compat.numpy

    def each(function: Callable[[float], float]) -> Callable[[Any], Any]:
        vectorised = np.vectorize(function, otypes=[float])
        return lambda x: vectorised(x).astype(x.dtype)

    def foreign(dtype: Any) -> bool:
        return not np.dtype(dtype).isbuiltin == 1

    def isdtype(dtype: Any, kind: Any) -> bool:
        if not foreign(dtype):
            return bool(xp.isdtype(dtype, kind))
        kinds = kind if isinstance(kind, tuple) else (kind,)
        return any(
            k in ("real floating", "numeric") if isinstance(k, str) else np.dtype(k) == dtype
            for k in kinds
        )

    def finfo(given: Any) -> Any:
        dtype = given.dtype if isinstance(given, np.ndarray | np.generic) else given
        return ml_dtypes.finfo(dtype) if foreign(dtype) else xp.finfo(dtype)

    def clip(x: Any, min: Any = None, max: Any = None) -> Any:
        if not foreign(x.dtype):
            return xp.clip(x, min, max)
        x = x if min is None else np.maximum(x, np.asarray(min, x.dtype))
        return x if max is None else np.minimum(x, np.asarray(max, x.dtype))

    functions = {"erf": each(math.erf), "erfc": each(math.erfc)}
    names = [dtype.numpy for dtype in DTYPES.values() if hasattr(ml_dtypes, dtype.numpy)]
    dtypes = {name: getattr(ml_dtypes, name) for name in names}
    return Namespace(xp, isdtype=isdtype, finfo=finfo, clip=clip, **functions, **dtypes)


def jax_namespace() -> Namespace:
    """Return `jax.numpy` with `erf` and `erfc` added."""
    import jax.numpy as jnp
    from jax import lax

    return Namespace(jnp, erf=lax.erf, erfc=lax.erfc)
