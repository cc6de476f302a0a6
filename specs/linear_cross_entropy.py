"""Reference of the linear_cross_entropy family."""

import math

from array_api_compat import device


def _logits(xp, hidden, weight):
    """Return `hidden @ weight.T` in f32 (f64 for f64 inputs)."""
    wide = xp.float64 if hidden.dtype == xp.float64 else xp.float32
    return xp.matmul(xp.astype(hidden, wide), xp.matrix_transpose(xp.astype(weight, wide)))


def _is_label(xp, labels, first, ignore_index, v):
    """Return a mask of the label of each row, among `v` classes that start at `first`."""
    classes = xp.arange(v, dtype=labels.dtype, device=device(labels))
    here = (labels - xp.astype(first, labels.dtype))[..., None] == classes
    return here & (labels != ignore_index)[..., None]


def linear_cross_entropy(xp, hidden, weight, labels, *, ignore_index, reduction):
    """Return the cross-entropy of `softmax(hidden @ weight.T)` and one-hot labels.

    For a row `z` of the product with label `y`: `loss = log(sum(exp(z))) - z[y]`. If a row's label
    is `ignore_index`, its loss and gradient are 0. `reduction="sum"` adds the rows up. `"mean"`
    divides the sum by the number of rows that are not ignored; it is NaN if there are none. This
    reference computes the whole product. Everything is in f32 (f64 for f64 inputs), and the product
    is not rounded.

    hidden: `*batch d`; weight: `c d`; labels: `*batch`, integers. Returns loss: `*batch` for
    `"none"`, else a scalar, in f32 (f64 for f64 inputs).
    """
    counts = labels != ignore_index
    z = _logits(xp, hidden, weight)
    z = xp.where(counts[..., None], z, xp.zeros_like(z))
    z = z - xp.max(z, axis=-1, keepdims=True)  # a large common offset would lose digits
    classes = xp.arange(z.shape[-1], dtype=labels.dtype, device=device(labels))
    chosen = labels[..., None] == classes
    target = xp.sum(xp.where(chosen, z, xp.zeros_like(z)), axis=-1)
    loss = xp.log(xp.sum(xp.exp(z), axis=-1)) - target
    loss = xp.where(counts, loss, xp.zeros_like(loss))
    if reduction == "none":
        return loss
    total = xp.sum(loss)
    return total if reduction == "sum" else total / xp.sum(xp.astype(counts, loss.dtype))


def linear_cross_entropy_terms(xp, hidden, weight, labels, first, *, ignore_index, c):
    """Return the terms of the loss for the classes of `weight`, which start at `first`.

    For a row of logits `z`, top is the largest, and total is the sum of `exp(z - top)`. If all
    logits are -inf, top is the smallest finite number. at_label is `z[label]`, or 0 if the label is
    ignored or not among these classes.

    hidden: `*batch d`; weight: `v d`; labels: `*batch`; first: a scalar. Returns top, total and
    at_label: `*batch`, in f32 (f64 for f64 inputs).
    """
    z = _logits(xp, hidden, weight)
    # If no logit is finite, the total is 0, not NaN.
    top = xp.clip(xp.max(z, axis=-1), min=float(xp.finfo(z.dtype).min))
    here = _is_label(xp, labels, first, ignore_index, z.shape[-1])
    at_label = xp.sum(xp.where(here, z, xp.zeros_like(z)), axis=-1)
    return top, xp.sum(xp.exp(z - top[..., None]), axis=-1), at_label


def linear_cross_entropy_loss(xp, hidden, labels, top, total, at_label, *, ignore_index, reduction):
    """Return the loss from its terms, which cover all classes.

    hidden: unread; labels, top, total, at_label: `*batch`. Returns three results. loss: `*batch`
    for `"none"`, else a scalar. log_sum: `*batch`, `log(total)`. count: a scalar, the number of
    rows that are not ignored, or None except for `"mean"`.
    """
    counts = labels != ignore_index
    log_sum = xp.log(total)
    loss = xp.where(counts, log_sum + (top - at_label), xp.zeros_like(total))
    if reduction == "none":
        return loss, log_sum, None
    loss = xp.sum(loss)
    if reduction == "sum":
        return loss, log_sum, None
    count = xp.sum(xp.astype(counts, total.dtype))
    return loss / count, log_sum, count


def linear_cross_entropy_bwd_part(
    xp,
    dloss,
    hidden,
    weight,
    labels,
    top,
    log_sum,
    first,
    count=None,
    *,
    ignore_index,
    c,
    reduction,
):
    """Return the gradients from the classes of `weight`, which start at `first`.

    For the logits `z` of these classes, their gradient is `dz = dloss * (exp(z - top - log_sum) -
    [is the label])`. It is 0 if the row is ignored.

    dloss: `*batch` for `"none"`, else a scalar; hidden: `*batch d`; weight: `v d`; labels, top,
    log_sum: `*batch`; first, count: scalars. Returns dhidden: `*batch d`, in top's dtype, and
    dweight: `v d`, in weight's dtype.
    """
    z = _logits(xp, hidden, weight)
    here = _is_label(xp, labels, first, ignore_index, z.shape[-1])
    scale = dloss if count is None else dloss / count
    scale = scale[..., None] if reduction == "none" else scale
    share = scale * xp.exp(z - top[..., None] - log_sum[..., None])
    dz = xp.where(here, share - scale, share)
    dz = xp.where((labels != ignore_index)[..., None], dz, xp.zeros_like(dz))
    left, right = (
        xp.reshape(x, (math.prod(labels.shape), x.shape[-1]))
        for x in (dz, xp.astype(hidden, z.dtype))
    )
    dweight = xp.matmul(xp.matrix_transpose(left), right)
    dhidden = xp.matmul(dz, xp.astype(weight, z.dtype))
    return dhidden, xp.astype(dweight, weight.dtype)
