"""Reference of the cross_entropy family."""

from array_api_compat import device


def cross_entropy(xp, logits, labels, *, ignore_index, label_smoothing, reduction):
    """Cross-entropy of `softmax(logits)` against smoothed one-hot labels.

    For a row of logits `z` with label `y`, `s` the label smoothing:
    `loss = log(sum(exp(z))) - (1 - s)*z[y] - s*mean(z)`. Szegedy et al., Rethinking the
    Inception Architecture, 2016, section 7. A row labelled `ignore_index` has loss 0, and gradient
    0 whatever it holds; in PyTorch and JAX the gradient of one with a NaN is NaN.
    `reduction="sum"` adds the rows up, `"mean"` divides the sum by the number of rows
    that are not ignored: NaN if there are none.

    logits: `*batch c`; labels: `*batch`, integers. Returns loss: `*batch` for `"none"`,
    else a scalar, in f32 (f64 for f64 logits).
    """
    wide = xp.float64 if logits.dtype == xp.float64 else xp.float32
    counts = labels != ignore_index
    z = xp.astype(logits, wide)
    z = xp.where(counts[..., None], z, xp.zeros_like(z))
    z = z - xp.max(z, axis=-1, keepdims=True)  # what all share must not cost digits
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
