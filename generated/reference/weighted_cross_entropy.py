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


def _below(xp, logits, top, classes):
    """Return `top - logits`, with the classes last."""
    z = xp.moveaxis(logits, 1, -1) if classes == "second" else logits
    return top[..., None] - xp.astype(z, top.dtype)


def _soft(xp, target, weight, like, *, c, label_smoothing, classes):
    """Return the weighted and smoothed target of some of the `c` classes, which are last."""
    q = xp.moveaxis(target, 1, -1) if classes == "second" else target
    q = (1.0 - label_smoothing) * xp.astype(q, like.dtype) + label_smoothing / c
    return q if weight is None else q * weight


def _is_label(xp, labels, first, ignore_index, v):
    """Return a mask of the label of each position, among `v` classes that start at `first`.

    The classes are the last dim.
    """
    numbers = xp.arange(v, dtype=labels.dtype, device=device(labels))
    here = (labels - xp.astype(first, labels.dtype))[..., None] == numbers
    return here & (labels != ignore_index)[..., None]


def _hard(xp, x, here, weight, c, label_smoothing):
    """Return `x` times the weighted and smoothed target of some of the `c` classes."""
    x = x if weight is None else x * weight
    product = xp.where(here, (1.0 - label_smoothing) * x, xp.zeros_like(x))
    return product + label_smoothing / c * x if label_smoothing > 0.0 else product


def _gradient(xp, below, rest, mass, t, scale, logits, classes):
    """Return `scale * (mass * p - t)` in the layout of `logits`."""
    dz = scale * (xp.exp(-below) / (1.0 + rest)[..., None] * mass[..., None] - t)
    return xp.astype(xp.moveaxis(dz, -1, 1) if classes == "second" else dz, logits.dtype)


def class_top(xp, logits, *, classes):
    """Return the largest logit of each position.

    logits: `*batch v`, or `n v *d` for `classes="second"`. Returns top: the same without `v`, in
    f32 (f64 for f64 logits).
    """
    wide = xp.float64 if logits.dtype == xp.float64 else xp.float32
    return xp.astype(xp.max(logits, axis=1 if classes == "second" else -1), wide)


def class_total(xp, logits, top, *, classes):
    """Return the sum of `exp(logits - top)` of each position. The shapes are those of `class_top`."""
    return xp.sum(xp.exp(-_below(xp, logits, top, classes)), axis=-1)


def soft_cross_entropy_part(
    xp, logits, target, top, total, weight=None, *, classes, c, label_smoothing, reduction
):
    """Return the part of each position's loss that `v` of the `c` classes add.

    Also return `total - 1`, and the sum of the weighted target of these classes.

    logits, target: `*batch v`, or `n v *d` for `classes="second"`; top, total: the same without
    `v`; weight: `v`. The loss is a scalar except for `"none"`.
    """
    below = _below(xp, logits, top, classes)
    t = _soft(xp, target, weight, top, c=c, label_smoothing=label_smoothing, classes=classes)
    loss = xp.sum(t * (xp.log1p(total - 1.0)[..., None] + below), axis=-1)
    if reduction != "none":
        loss = xp.sum(loss) if reduction == "sum" else xp.mean(loss)
    return loss, total - 1.0, xp.sum(t, axis=-1)


def soft_cross_entropy_bwd_part(
    xp,
    dloss,
    logits,
    target,
    top,
    rest,
    mass,
    weight=None,
    *,
    classes,
    c,
    label_smoothing,
    reduction,
    positions,
):
    """Return the gradients of `soft_cross_entropy` for `v` of the `c` classes.

    The residuals top, rest and mass are those of the whole op.
    """
    below = _below(xp, logits, top, classes)
    t = _soft(xp, target, weight, top, c=c, label_smoothing=label_smoothing, classes=classes)
    scale = dloss[..., None] if reduction == "none" else dloss
    scale = scale / positions if reduction == "mean" else scale
    dq = scale * (1.0 - label_smoothing) * (xp.log1p(rest)[..., None] + below)
    dq = dq if weight is None else dq * weight
    dq = xp.moveaxis(dq, -1, 1) if classes == "second" else dq
    dz = _gradient(xp, below, rest, mass, t, scale, logits, classes)
    return dz, xp.astype(dq, target.dtype)


def weighted_cross_entropy_total(
    xp, logits, labels, top, first, weight=None, *, classes, c, ignore_index, reduction
):
    """Return the sum of `exp(logits - top)` over the classes of `logits`, which start at `first`.

    For `"mean"`, also return the sum of the weights of the labels among these classes, else None.
    Without weights, this is the number of all labels.

    logits: `*batch v`, or `n v *d` for `classes="second"`; labels, top: the same without `v`;
    first: a scalar; weight: `v`.
    """
    e = xp.exp(-_below(xp, logits, top, classes))
    if reduction != "mean":
        count = None
    elif weight is None:
        count = xp.sum(xp.astype(labels != ignore_index, e.dtype))
    else:
        here = _is_label(xp, labels, first, ignore_index, e.shape[-1])
        count = xp.sum(_hard(xp, xp.ones_like(e), here, weight, c, 0.0))
    return xp.sum(e, axis=-1), count


def weighted_cross_entropy_part(
    xp,
    logits,
    labels,
    top,
    total,
    first,
    count=None,
    weight=None,
    *,
    classes,
    c,
    ignore_index,
    label_smoothing,
    reduction,
):
    """Return the part of each position's loss that the classes of `logits` add.

    These are some of the `c` classes, and start at `first`. Also return `total - 1`, and the sum of
    the weighted target of these classes.

    logits: `*batch v`, or `n v *d` for `classes="second"`; labels, top, total: the same without
    `v`; first, count: scalars; weight: `v`. The loss is a scalar except for `"none"`.
    """
    of_class = xp.log1p(total - 1.0)[..., None] + _below(xp, logits, top, classes)
    here = _is_label(xp, labels, first, ignore_index, of_class.shape[-1])
    target = here, weight, c, label_smoothing
    kept, zeros = labels != ignore_index, xp.zeros_like(total)
    loss = xp.where(kept, xp.sum(_hard(xp, of_class, *target), axis=-1), zeros)
    mass = xp.where(kept, xp.sum(_hard(xp, xp.ones_like(of_class), *target), axis=-1), zeros)
    if reduction != "none":
        loss = xp.sum(loss) if count is None else xp.sum(loss) / count
    return loss, total - 1.0, mass


def weighted_cross_entropy_bwd_part(
    xp,
    dloss,
    logits,
    labels,
    top,
    rest,
    mass,
    first,
    count=None,
    weight=None,
    *,
    classes,
    c,
    ignore_index,
    label_smoothing,
    reduction,
):
    """Return the gradient of the logits of some of the `c` classes, which start at `first`.

    It is 0 if the position is ignored. The arguments are those of `weighted_cross_entropy_part` and
    its results.
    """
    below = _below(xp, logits, top, classes)
    here = _is_label(xp, labels, first, ignore_index, below.shape[-1])
    t = _hard(xp, xp.ones_like(below), here, weight, c, label_smoothing)
    scale = dloss[..., None] if reduction == "none" else dloss
    scale = scale if count is None else scale / count
    dz = _gradient(xp, below, rest, mass, t, scale, logits, classes)
    kept = labels != ignore_index
    kept = kept[:, None] if classes == "second" else kept[..., None]
    return xp.where(kept, dz, xp.zeros_like(dz))
