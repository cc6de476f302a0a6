"""`momentum_` for JAX.

Rendered by opgen from optimizers.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple
import functools

import jax
import jax.numpy as jnp
import numpy as np
from jax.typing import ArrayLike

from ..core import momentum_ as _core
from . import _runtime

_KERNEL = _runtime.Kernel(
    _core,
    inputs=("*s[i]", "*s[i]", "*s[i]", ""),
    outputs=(),
    attrs={"momentum": np.float64},
    platforms=("cpu",),
    updates=(0, 2),
    varies=True,
    numbers={3: ("f32",)},
    split=("s",),
    fold=("s",),
)


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


class SgdState(NamedTuple):
    """What `sgd` keeps: how many steps were made, and the state of `momentum_`."""

    count: jax.Array  # type: ignore[assignment]  # tuples have a method of that name
    trace: Any


def sgd(
    learning_rate: ArrayLike | Callable[[jax.Array], ArrayLike] = 0.001, momentum: float = 0.9
) -> _runtime.Optimizer:
    """One step of gradient descent with momentum, on lists of tensors, in place.

    `momentum_` as an optimizer: a pair of `init` and `update`, as optax has them. Its `step(params,
    grads, state)` gives the next parameters instead of what is to be added to them, and the next
    state; what is donated to it is updated in place. One call updates all parameters that agree in
    dtypes.

    Args:
        learning_rate (ArrayLike | Callable[[jax.Array], ArrayLike]): a number, an array, or a
            function of the number of steps made. Default: 0.001.
        momentum (float): at least 0. Default: 0.9.
    """

    def init(params: Any) -> SgdState:
        return SgdState(count=jnp.zeros((), jnp.int32), trace=_runtime.filled(params, 0))

    def call(params: list[Any], grads: list[Any], state: SgdState) -> Any:
        params, trace = momentum_(
            params,
            grads,
            state.trace,
            _runtime.scheduled(learning_rate, state.count, params[0], "f32"),
            momentum=momentum,
        )
        return params, state._replace(trace=trace)

    return _runtime.optimizer("sgd", init, call, ("trace",))
