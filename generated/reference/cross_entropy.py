"""Reference of the cross_entropy family."""

from array_api_compat import device


def cross_entropy(xp, logits, labels, *, ignore_index, label_smoothing, reduction):
    """Return the cross-entropy of `softmax(logits)` and smoothed one-hot labels.

    For a row of logits `z` with label `y` and label smoothing `s`: `loss = log(sum(exp(z))) - (1 -
    s)*z[y] - s*mean(z)`. Szegedy et al., Rethinking the Inception Architecture, 2016, section 7. If
    a row's label is `ignore_index`, its loss and gradient are 0, whatever it contains. In PyTorch
    and JAX the gradient of such a row is NaN if it contains a NaN. `reduction="sum"` adds the rows
    up. `"mean"` divides the sum by the number of rows that are not ignored; it is NaN if there are
    none.

    logits: `*batch c`; labels: `*batch`, integers. Returns loss: `*batch` for `"none"`, else a
    scalar, in f32 (f64 for f64 logits).
    """
    wide = xp.float64 if logits.dtype == xp.float64 else xp.float32
    counts = labels != ignore_index
    z = xp.astype(logits, wide)
    z = xp.where(counts[..., None], z, xp.zeros_like(z))
    z = z - xp.max(z, axis=-1, keepdims=True)  # a large common offset would lose digits
    loss = xp.log(xp.sum(xp.exp(z), axis=-1))
    classes = xp.arange(z.shape[-1], dtype=labels.dtype, device=device(labels))
    chosen = labels[..., None] == classes
    target = xp.sum(xp.where(chosen, z, xp.zeros_like(z)), axis=-1)
    loss = loss - (1.0 - label_smoothing) * target
    if label_smoothing > 0.0:
        loss = loss - label_smoothing * xp.mean(z, axis=-1)
    loss = xp.where(counts, loss, xp.zeros_like(loss))
    if reduction == "none":
        return loss
    total = xp.sum(loss)
    return total if reduction == "sum" else total / xp.sum(xp.astype(counts, wide))


def cross_entropy_top(xp, logits):
    """Return the largest logit of each row.

    logits: `*batch v`. Returns top: `*batch`, in f32 (f64 for f64 logits).
    """
    wide = xp.float64 if logits.dtype == xp.float64 else xp.float32
    return xp.astype(xp.max(logits, axis=-1), wide)


def _is_label(xp, labels, first, v):
    """Return a mask of the label of each row, among `v` classes from `first` on: `*batch v`."""
    classes = xp.arange(v, dtype=labels.dtype, device=device(labels))
    return (labels - xp.astype(first, labels.dtype))[..., None] == classes


def cross_entropy_terms(xp, logits, labels, top, first, *, c, ignore_index, label_smoothing):
    """Return the terms of the loss for some of the classes, those from `first` on.

    For a row of logits `z`, total is the sum of `exp(z - top)`. missed is `top - z[label]`, or 0 if
    the label is ignored or not among these classes. below is the mean of `top - z`, or None without
    smoothing.

    logits: `*batch v`; labels, top: `*batch`; first: a scalar. Returns total, missed and below:
    `*batch`, in top's dtype.
    """
    below = top[..., None] - xp.astype(logits, top.dtype)
    here = _is_label(xp, labels, first, logits.shape[-1])
    here = here & (labels != ignore_index)[..., None]
    total = xp.sum(xp.exp(-below), axis=-1)
    missed = xp.sum(xp.where(here, below, xp.zeros_like(below)), axis=-1)
    return total, missed, xp.mean(below, axis=-1) if label_smoothing > 0.0 else None


def cross_entropy_loss(
    xp, logits, labels, total, missed, below=None, *, ignore_index, label_smoothing, reduction
):
    """Return the loss from its terms, which are summed over all classes.

    logits: `*batch v`, unread; labels, total, missed, below: `*batch`. Returns three results. loss:
    `*batch` for `"none"`, else a scalar. rest: `*batch`, `total - 1`. count: a scalar, the number
    of rows that are not ignored, or None except for `"mean"`.
    """
    counts = labels != ignore_index
    rest = total - 1.0
    loss = xp.log1p(rest) + (1.0 - label_smoothing) * missed
    if below is not None:
        loss = loss + label_smoothing * below
    loss = xp.where(counts, loss, xp.zeros_like(loss))
    if reduction == "none":
        return loss, rest, None
    loss = xp.sum(loss)
    if reduction == "sum":
        return loss, rest, None
    count = xp.sum(xp.astype(counts, total.dtype))
    return loss / count, rest, count


def cross_entropy_bwd_part(
    xp,
    dloss,
    logits,
    labels,
    top,
    rest,
    first,
    count=None,
    *,
    c,
    ignore_index,
    label_smoothing,
    reduction,
):
    """Return the gradient of some of the `c` logits of each row, those from `first` on.

    For a row `z` with `p = exp(z - top) / (1 + rest)` and label smoothing `s`, it is `dloss * (p -
    s / c - (1 - s) * [is the label])`. It is 0 if the row is ignored.

    dloss: `*batch` for `"none"`, else a scalar; logits: `*batch v`; labels, top, rest: `*batch`;
    first, count: scalars. Returns dlogits: `*batch v`, in logits' dtype.
    """
    here = _is_label(xp, labels, first, logits.shape[-1])
    p = xp.exp(xp.astype(logits, top.dtype) - top[..., None]) / (1.0 + rest[..., None])
    scale = dloss if count is None else dloss / count
    scale = scale[..., None] if reduction == "none" else scale
    share = label_smoothing / c
    of_label = scale * (p - (1.0 - label_smoothing + share))
    dz = xp.where(here, of_label, scale * p - scale * share)
    counts = (labels != ignore_index)[..., None]
    return xp.astype(xp.where(counts, dz, xp.zeros_like(dz)), logits.dtype)
