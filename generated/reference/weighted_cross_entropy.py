"""Reference of the weighted_cross_entropy family."""

from array_api_compat import device


def _shifted(xp, logits, classes):
    """Return the logits minus their largest, with the classes last; in f32 (f64 for f64 logits)."""
    z = xp.astype(logits, xp.float64 if logits.dtype == xp.float64 else xp.float32)
    z = xp.moveaxis(z, 1, -1) if classes == "second" else z
    return z - xp.max(z, axis=-1, keepdims=True)  # a large common offset would lose digits


def weighted_cross_entropy(
    xp, logits, labels, weight=None, *, label_smoothing, reduction, classes, ignore_index
):
    """Return the weighted cross-entropy of `softmax(logits)` and smoothed one-hot labels.

    For the logits `z` of a position with label `y`, weights `w` (by default 1) and label smoothing
    `s`: `loss = sum(t * (log(sum(exp(z))) - z))`, where `t` is `w * ((1 - s)*[is y] + s/c)`. If a
    position's label is `ignore_index`, its loss and gradient are 0. `reduction="sum"` adds the
    positions up. `"mean"` divides the sum by the sum of the weights of all labels that are not
    ignored; it is NaN if there are none.

    logits: `*batch c`, or `n c *d` for `classes="second"`; labels: the same without `c`, integers;
    weight: `c`. Returns loss: like labels for `"none"`, else a scalar, in f32 (f64 for f64 logits).
    """
    counts = labels != ignore_index
    kept = counts[:, None] if classes == "second" else counts[..., None]
    z = _shifted(xp, xp.where(kept, logits, xp.zeros_like(logits)), classes)
    below = xp.log(xp.sum(xp.exp(z), axis=-1))[..., None] - z
    c = z.shape[-1]
    numbers = xp.arange(c, dtype=labels.dtype, device=device(labels))
    chosen = labels[..., None] == numbers
    weights = xp.ones_like(z) if weight is None else xp.zeros_like(z) + weight
    zeros = xp.zeros_like(z)
    loss = (1.0 - label_smoothing) * xp.sum(xp.where(chosen, weights * below, zeros), axis=-1)
    if label_smoothing > 0.0:
        loss = loss + label_smoothing / c * xp.sum(weights * below, axis=-1)
    loss = xp.where(counts, loss, xp.zeros_like(loss))
    if reduction == "none":
        return loss
    total = xp.sum(loss)
    if reduction == "sum":
        return total
    return total / xp.sum(xp.where(chosen & counts[..., None], weights, zeros))


def soft_cross_entropy(xp, logits, target, weight=None, *, label_smoothing, reduction, classes):
    """Return the weighted cross-entropy of `softmax(logits)` and probabilities.

    For the logits `z` of a position with target `q`, weights `w` (by default 1) and label smoothing
    `s`: `loss = sum(w * ((1 - s)*q + s/c) * (log(sum(exp(z))) - z))`. A target need not add up to
    1. `reduction="sum"` adds the positions up, and `"mean"` divides the sum by their number.

    logits, target: `*batch c`, or `n c *d` for `classes="second"`; weight: `c`. Returns loss: like
    logits without `c` for `"none"`, else a scalar, in f32 (f64 for f64 logits).
    """
    z = _shifted(xp, logits, classes)
    q = xp.moveaxis(target, 1, -1) if classes == "second" else target
    q = (1.0 - label_smoothing) * xp.astype(q, z.dtype) + label_smoothing / z.shape[-1]
    q = q if weight is None else q * weight
    loss = xp.sum(q * (xp.log(xp.sum(xp.exp(z), axis=-1))[..., None] - z), axis=-1)
    if reduction == "none":
        return loss
    return xp.sum(loss) if reduction == "sum" else xp.mean(loss)


def soft_cross_entropy_bwd(
    xp,
    dloss,
    logits,
    target,
    top,
    rest,
    mass,
    weight=None,
    *,
    label_smoothing,
    reduction,
    classes,
    positions,
):
    """Return the gradients of `soft_cross_entropy`. For a mean they are divided by `positions`.

    With `p = softmax(z)` and `t = w * ((1 - s)*q + s/c)`, the gradient of `z` is `dloss * (p*sum(t)
    - t)`. The gradient of `q` is `dloss * w * (1 - s) * (log(sum(exp(z))) - z)`.

    dloss: like logits without `c` for `"none"`, else a scalar; logits, target, weight: as in
    `soft_cross_entropy`; top, rest, mass: unread. Returns dlogits and dtarget, like logits.
    """
    z = _shifted(xp, logits, classes)
    e = xp.exp(z)
    total = xp.sum(e, axis=-1)[..., None]
    weights = xp.ones_like(z) if weight is None else xp.zeros_like(z) + weight
    q = xp.astype(xp.moveaxis(target, 1, -1) if classes == "second" else target, z.dtype)
    t = weights * ((1.0 - label_smoothing) * q + label_smoothing / z.shape[-1])
    scale = dloss[..., None] if reduction == "none" else dloss
    scale = scale / positions if reduction == "mean" else scale
    dz = scale * (e / total * xp.sum(t, axis=-1)[..., None] - t)
    dq = scale * weights * (1.0 - label_smoothing) * (xp.log(total) - z)
    if classes == "second":
        dz, dq = xp.moveaxis(dz, -1, 1), xp.moveaxis(dq, -1, 1)
    return xp.astype(dz, logits.dtype), xp.astype(dq, logits.dtype)
