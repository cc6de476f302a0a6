"""`soft_cross_entropy_bwd_part` for JAX.

Rendered by opgen from weighted_cross_entropy.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Collection
import functools

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import soft_cross_entropy_bwd_part as _core

_reference = _runtime.reference("soft_cross_entropy_bwd_part")
_KERNEL = _runtime.Kernel(_core, fallback=_reference)


def soft_cross_entropy_bwd_part(
    dloss: ArrayLike,
    logits: ArrayLike,
    target: ArrayLike,
    top: ArrayLike,
    rest: ArrayLike,
    mass: ArrayLike,
    weight: ArrayLike | None = None,
    *,
    c: int,
    positions: int,
    classes: str = "last",
    label_smoothing: float = 0.0,
    reduction: str = "mean",
    wanted: Collection[str] = ("dlogits", "dtarget"),
) -> tuple[jax.Array | None, jax.Array | None]:
    """The gradients of `soft_cross_entropy` for some of the classes. A step of
    `soft_cross_entropy_bwd`.

    Args:
        dloss (ArrayLike): scalar, shape `(*batch)` or shape `(n, *d)`, float32 (float64 if `logits`
            is float64).
        logits (ArrayLike): shape `(*batch, v)` or shape `(n, v, *d)`, float32, bfloat16, float16 or
            float64.
        target (ArrayLike): shape `(*batch, v)` or shape `(n, v, *d)`, the dtype of `logits`.
        top (ArrayLike): shape `(*batch)` or shape `(n, *d)`, the dtype of `dloss`.
        rest (ArrayLike): shape `(*batch)` or shape `(n, *d)`, the dtype of `dloss`.
        mass (ArrayLike): shape `(*batch)` or shape `(n, *d)`, the dtype of `dloss`.
        weight (ArrayLike, optional): shape `(v,)`, the dtype of `dloss`.
        c (int): The number of classes on all shards. At least 1.
        positions (int): The number of positions on all shards, by which a mean divides. At least 1.
        classes (str): one of 'last', 'second'. Default: 'last'.
        label_smoothing (float): at least 0, at most 1. Default: 0.0.
        reduction (str): one of 'none', 'mean', 'sum'. Default: 'mean'.
        wanted (Collection[str]): results to compute, of "dlogits", "dtarget". The others are None.
            Default: all.

    Returns:
        A tuple of

        - dlogits (jax.Array, optional): shape `(*batch, v)` or shape `(n, v, *d)`, the dtype of
          `logits`.
        - dtarget (jax.Array, optional): shape `(*batch, v)` or shape `(n, v, *d)`, the dtype of
          `logits`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    if type(c) is not int:
        c = _runtime.static("soft_cross_entropy_bwd_part", "c", c, "int")
    if type(positions) is not int:
        positions = _runtime.static("soft_cross_entropy_bwd_part", "positions", positions, "int")
    if type(classes) is not str:
        classes = _runtime.static("soft_cross_entropy_bwd_part", "classes", classes, "str")
    if type(label_smoothing) is not float:
        label_smoothing = _runtime.static(
            "soft_cross_entropy_bwd_part", "label_smoothing", label_smoothing, "float"
        )
    if type(reduction) is not str:
        reduction = _runtime.static("soft_cross_entropy_bwd_part", "reduction", reduction, "str")
    try:
        return _soft_cross_entropy_bwd_part(
            dloss,
            logits,
            target,
            top,
            rest,
            mass,
            weight,
            c,
            positions,
            classes,
            label_smoothing,
            reduction,
            tuple(wanted),
        )
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(
            _KERNEL,
            _soft_cross_entropy_bwd_part,
            dloss,
            logits,
            target,
            top,
            rest,
            mass,
            weight,
            c=c,
            positions=positions,
            classes=classes,
            label_smoothing=label_smoothing,
            reduction=reduction,
            wanted=wanted,
        )


@_runtime.checked(_KERNEL)
@functools.partial(jax.jit, static_argnums=(7, 8, 9, 10, 11, 12))
def _soft_cross_entropy_bwd_part(
    dloss,
    logits,
    target,
    top,
    rest,
    mass,
    weight,
    c,
    positions,
    classes,
    label_smoothing,
    reduction,
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
        c=c,
        positions=positions,
        classes=classes,
        label_smoothing=label_smoothing,
        reduction=reduction,
        wanted=wanted,
    )
    dloss, logits, target, top, rest, mass, weight = _runtime.no_gradient(
        "soft_cross_entropy_bwd_part", dloss, logits, target, top, rest, mass, weight
    )
    return _runtime.call(
        _KERNEL,
        dloss,
        logits,
        target,
        top,
        rest,
        mass,
        weight,
        c=c,
        positions=positions,
        classes=classes,
        label_smoothing=label_smoothing,
        reduction=reduction,
        wanted=wanted,
    )
