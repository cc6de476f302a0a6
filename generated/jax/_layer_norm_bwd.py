"""`layer_norm_bwd` for JAX.

Rendered by opgen from layer_norm.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Collection
import functools

import jax
from jax.typing import ArrayLike

from ..core import layer_norm_bwd as _core
from . import _runtime

_KERNEL = _runtime.Kernel(
    _core,
    inputs=("*batch *norm", "*batch *norm", "*batch", "*batch", "*norm"),
    outputs=("*batch *norm", "*norm", "*norm"),
    on_request=("dx", "dweight", "dbias"),
    varies=True,
    split=("batch",),
    reduce=({}, {"batch": "sum"}, {"batch": "sum"}),
)


def layer_norm_bwd(
    dy: ArrayLike,
    x: ArrayLike,
    mean: ArrayLike,
    rstd: ArrayLike,
    weight: ArrayLike | None = None,
    *,
    wanted: Collection[str] = ("dx", "dweight", "dbias"),
) -> tuple[jax.Array | None, jax.Array | None, jax.Array | None]:
    """Gradient of `layer_norm`; each part only where it is asked for.

    dy: T[*batch *norm].
    x: T[*batch *norm].
    mean: Acc[*batch].
    rstd: Acc[*batch].
    weight: W[*norm].
    wanted: the results to compute; the others are None.
    Returns dx: T[*batch *norm], dweight: Acc[*norm], dbias: Acc[*norm].
    T: float32, bfloat16 or float16.
    W: float32, bfloat16 or float16.
    Acc: accum(T).

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    try:
        return _layer_norm_bwd(dy, x, mean, rstd, weight, tuple(wanted))
    except (TypeError, ValueError):
        _runtime.explain(_KERNEL, dy, x, mean, rstd, weight, wanted=wanted)
        raise


@_runtime.dumped
@functools.partial(jax.jit, static_argnums=(5,))
def _layer_norm_bwd(dy, x, mean, rstd, weight, wanted):
    _runtime.check(_KERNEL, dy, x, mean, rstd, weight, wanted=wanted)
    dy, x, mean, rstd, weight = _runtime.no_gradient(
        "layer_norm_bwd", dy, x, mean, rstd, weight
    )
    return _runtime.call(_KERNEL, dy, x, mean, rstd, weight, wanted=wanted)
