"""`soft_cross_entropy` for JAX.

Rendered by opgen from weighted_cross_entropy.toml: edit the spec, not this file.
"""

from __future__ import annotations

import functools

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import soft_cross_entropy as _core
from . import _soft_cross_entropy_bwd

_reference = _runtime.reference("soft_cross_entropy")
_KERNEL = _runtime.Kernel(_core)


def soft_cross_entropy(
    logits: ArrayLike,
    target: ArrayLike,
    weight: ArrayLike | None = None,
    *,
    label_smoothing: float = 0.0,
    reduction: str = "mean",
    classes: str = "last",
) -> jax.Array:
    """Softmax cross-entropy of `logits` against the probabilities `target`, with optional weights
    of classes.

    Args:
        logits (ArrayLike): shape `(*batch, c)` or shape `(n, c, *d)`, float32, bfloat16, float16 or
            float64.
        target (ArrayLike): shape `(*batch, c)` or shape `(n, c, *d)`, the dtype of `logits`.
        weight (ArrayLike, optional): The weight of each class. Shape `(c,)`, float32 (float64 if
            `logits` is float64).
        label_smoothing (float): at least 0, at most 1. Default: 0.0.
        reduction (str): one of 'none', 'mean', 'sum'. Default: 'mean'.
        classes (str): The dim of `logits` that holds the classes. In PyTorch's function it is the
            second. One of 'last', 'second'. Default: 'last'.

    Returns:
        jax.Array: scalar, shape `(*batch)` or shape `(n, *d)`, float32 (float64 if `logits` is
            float64).

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    if type(label_smoothing) is not float:
        label_smoothing = _runtime.static(
            "soft_cross_entropy", "label_smoothing", label_smoothing, "float"
        )
    if type(reduction) is not str:
        reduction = _runtime.static("soft_cross_entropy", "reduction", reduction, "str")
    if type(classes) is not str:
        classes = _runtime.static("soft_cross_entropy", "classes", classes, "str")
    try:
        return _soft_cross_entropy(logits, target, weight, label_smoothing, reduction, classes)
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(
            _KERNEL,
            _soft_cross_entropy,
            logits,
            target,
            weight,
            label_smoothing=label_smoothing,
            reduction=reduction,
            classes=classes,
        )


@_runtime.checked(_KERNEL)
@functools.partial(jax.jit, static_argnums=(3, 4, 5))
def _soft_cross_entropy(logits, target, weight, label_smoothing, reduction, classes):
    logits, target, weight = _runtime.check(
        _KERNEL,
        logits,
        target,
        weight,
        label_smoothing=label_smoothing,
        reduction=reduction,
        classes=classes,
    )
    (weight,) = _runtime.no_gradient("soft_cross_entropy", weight, of="weight")
    loss, _, _, _ = _soft_cross_entropy_op(
        logits, target, weight, label_smoothing, reduction, classes
    )
    return loss


_soft_cross_entropy_op = _runtime.Differentiable(_KERNEL)


def _forward(logits, target, weight, label_smoothing, reduction, classes):
    needed = _runtime.needed(logits=logits, target=target)
    logits, target, weight = _runtime.values(logits, target, weight)
    loss, top, rest, mass = _soft_cross_entropy_op(
        logits, target, weight, label_smoothing, reduction, classes
    )
    return ((loss, top, rest, mass), (logits, target, weight, top, rest, mass, needed))


def _backward(label_smoothing, reduction, classes, saved, cotangents):
    logits, target, weight, top, rest, mass, needed = saved
    dloss, _, _, _ = cotangents
    dloss = _runtime.or_zeros(dloss)
    c = _runtime.size_of(_KERNEL, "c", logits, target, weight, classes=classes)
    dlogits, dtarget = _soft_cross_entropy_bwd.soft_cross_entropy_bwd(
        dloss,
        logits,
        target,
        top,
        rest,
        mass,
        weight,
        positions=max(1, _runtime.numel(logits) // c),
        label_smoothing=label_smoothing,
        reduction=reduction,
        classes=classes,
        wanted=needed.results(dlogits="logits", dtarget="target"),
    )
    return _runtime.as_cotangent(dlogits, logits), _runtime.as_cotangent(dtarget, target), None


_soft_cross_entropy_op.defvjp(_forward, _backward, symbolic_zeros=True)
_soft_cross_entropy_op.defjvp(_reference)
