"""`soft_cross_entropy_bwd` for JAX.

Rendered by opgen from weighted_cross_entropy.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Collection
import functools

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import soft_cross_entropy_bwd as _core

_reference = _runtime.reference("soft_cross_entropy_bwd")
_KERNEL = _runtime.Kernel(_core)


def soft_cross_entropy_bwd(
    dloss: ArrayLike,
    logits: ArrayLike,
    target: ArrayLike,
    top: ArrayLike,
    rest: ArrayLike,
    mass: ArrayLike,
    weight: ArrayLike | None = None,
    *,
    positions: int,
    label_smoothing: float = 0.0,
    reduction: str = "mean",
    classes: str = "last",
    wanted: Collection[str] = ("dlogits", "dtarget"),
) -> tuple[jax.Array | None, jax.Array | None]:
    """Gradient of `soft_cross_entropy`. Only the requested gradients are computed.

    Args:
        dloss (ArrayLike): scalar, shape `(*batch)` or shape `(n, *d)`, float32 (float64 if `logits`
            is float64).
        logits (ArrayLike): shape `(*batch, c)` or shape `(n, c, *d)`, float32, bfloat16, float16 or
            float64.
        target (ArrayLike): shape `(*batch, c)` or shape `(n, c, *d)`, the dtype of `logits`.
        top (ArrayLike): shape `(*batch)` or shape `(n, *d)`, the dtype of `dloss`.
        rest (ArrayLike): shape `(*batch)` or shape `(n, *d)`, the dtype of `dloss`.
        mass (ArrayLike): shape `(*batch)` or shape `(n, *d)`, the dtype of `dloss`.
        weight (ArrayLike, optional): shape `(c,)`, the dtype of `dloss`.
        positions (int): The number of positions on all shards, by which a mean divides. At least 1.
        label_smoothing (float): at least 0, at most 1. Default: 0.0.
        reduction (str): one of 'none', 'mean', 'sum'. Default: 'mean'.
        classes (str): The dim of `logits` that holds the classes. In PyTorch's function it is the
            second. One of 'last', 'second'. Default: 'last'.
        wanted (Collection[str]): results to compute, of "dlogits", "dtarget". The others are None.
            Default: all.

    Returns:
        A tuple of

        - dlogits (jax.Array, optional): shape `(*batch, c)` or shape `(n, c, *d)`, the dtype of
          `logits`.
        - dtarget (jax.Array, optional): shape `(*batch, c)` or shape `(n, c, *d)`, the dtype of
          `logits`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    if type(positions) is not int:
        positions = _runtime.static("soft_cross_entropy_bwd", "positions", positions, "int")
    if type(label_smoothing) is not float:
        label_smoothing = _runtime.static(
            "soft_cross_entropy_bwd", "label_smoothing", label_smoothing, "float"
        )
    if type(reduction) is not str:
        reduction = _runtime.static("soft_cross_entropy_bwd", "reduction", reduction, "str")
    if type(classes) is not str:
        classes = _runtime.static("soft_cross_entropy_bwd", "classes", classes, "str")
    try:
        return _soft_cross_entropy_bwd(
            dloss,
            logits,
            target,
            top,
            rest,
            mass,
            weight,
            positions,
            label_smoothing,
            reduction,
            classes,
            tuple(wanted),
        )
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(
            _KERNEL,
            _soft_cross_entropy_bwd,
            dloss,
            logits,
            target,
            top,
            rest,
            mass,
            weight,
            positions=positions,
            label_smoothing=label_smoothing,
            reduction=reduction,
            classes=classes,
            wanted=wanted,
        )


@_runtime.checked(_KERNEL)
@functools.partial(jax.jit, static_argnums=(7, 8, 9, 10, 11))
def _soft_cross_entropy_bwd(
    dloss,
    logits,
    target,
    top,
    rest,
    mass,
    weight,
    positions,
    label_smoothing,
    reduction,
    classes,
    wanted,
):
    dloss, logits, target, top, rest, mass, weight = _runtime.check(
        _KERNEL,
        dloss,
        logits,
        target,
        top,
        rest,
        mass,
        weight,
        positions=positions,
        label_smoothing=label_smoothing,
        reduction=reduction,
        classes=classes,
        wanted=wanted,
    )
    (weight,) = _runtime.no_gradient("soft_cross_entropy_bwd", weight, of="weight")
    return _soft_cross_entropy_bwd_op(
        dloss,
        logits,
        target,
        top,
        rest,
        mass,
        weight,
        positions,
        label_smoothing,
        reduction,
        classes,
        wanted,
    )


_soft_cross_entropy_bwd_op = _runtime.Differentiable(_KERNEL)


def _forward(
    dloss,
    logits,
    target,
    top,
    rest,
    mass,
    weight,
    positions,
    label_smoothing,
    reduction,
    classes,
    wanted,
):
    return (
        _soft_cross_entropy_bwd_op(
            dloss,
            logits,
            target,
            top,
            rest,
            mass,
            weight,
            positions,
            label_smoothing,
            reduction,
            classes,
            wanted,
        ),
        (
            dloss,
            logits,
            target,
            _runtime.type_of(top),
            _runtime.type_of(rest),
            _runtime.type_of(mass),
            weight,
        ),
    )


def _backward(positions, label_smoothing, reduction, classes, wanted, saved, cotangents):
    dloss, logits, target, top, rest, mass, weight = saved
    ddlogits, ddtarget = cotangents

    def reference(dloss, logits, target):
        return _reference(
            _runtime.xp,
            dloss,
            logits,
            target,
            _runtime.unread("soft_cross_entropy_bwd", "top", top),
            _runtime.unread("soft_cross_entropy_bwd", "rest", rest),
            _runtime.unread("soft_cross_entropy_bwd", "mass", mass),
            weight,
            positions=positions,
            label_smoothing=label_smoothing,
            reduction=reduction,
            classes=classes,
        )

    ddloss, dlogits, dtarget = _runtime.pullback(
        reference, (dloss, logits, target), (ddlogits, ddtarget)
    )
    return (
        _runtime.as_cotangent(ddloss, dloss),
        _runtime.as_cotangent(dlogits, logits),
        _runtime.as_cotangent(dtarget, target),
        None,
        None,
        None,
        None,
    )


_soft_cross_entropy_bwd_op.defvjp(_forward, _backward)
_soft_cross_entropy_bwd_op.defjvp(_reference, unread=("top", "rest", "mass"))
