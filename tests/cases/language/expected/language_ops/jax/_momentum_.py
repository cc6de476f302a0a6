"""`momentum_` for JAX.

Rendered by opgen from optimizers.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Sequence
import functools

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import momentum_ as _core

_KERNEL = _runtime.Kernel(_core)


def momentum_(
    params: Sequence[ArrayLike],
    grads: Sequence[ArrayLike],
    momenta: Sequence[ArrayLike],
    lr: ArrayLike,
    *,
    momentum: float = 0.9,
) -> tuple[list[jax.Array], list[jax.Array]]:
    """One step of gradient descent with momentum, on lists of tensors, in place.

    Args:
        params (list of ArrayLike): shape `(*s[i])`, float32 or float64.
        grads (list of ArrayLike): shape `(*s[i])`, the dtype of `params`.
        momenta (list of ArrayLike): shape `(*s[i])`, the dtype of `params`.
        lr (ArrayLike): scalar, float32.
        momentum (float): at least 0. Default: 0.9.

    Returns:
        A tuple of

        - params (list of jax.Array): shape `(*s[i])`, float32 or float64.
        - momenta (list of jax.Array): shape `(*s[i])`, the dtype of `params`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    if type(momentum) is not float:
        momentum = _runtime.static("momentum_", "momentum", momentum, "float")
    try:
        return _momentum_(params, grads, momenta, lr, momentum)
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(_KERNEL, _momentum_, params, grads, momenta, lr, momentum=momentum)


@_runtime.dumped
@functools.partial(jax.jit, static_argnums=(4,))
def _momentum_(params, grads, momenta, lr, momentum):
    params, grads, momenta, lr = _runtime.check(
        _KERNEL, params, grads, momenta, lr, momentum=momentum
    )
    params, grads, momenta, lr = _runtime.no_gradient("momentum_", params, grads, momenta, lr)
    return _runtime.call(_KERNEL, params, grads, momenta, lr, momentum=momentum)
