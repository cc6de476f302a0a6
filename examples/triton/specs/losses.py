"""Reference of the loss op."""

from array_api_compat import device


def cross_entropy(xp, logits, labels, *, ignore_index, label_smoothing):
    """Return the cross-entropy of each row of logits, or 0 for ignored rows.

    For a row `z` it is `log(sum(exp(z))) - (1 - s) * z[label] - s * mean(z)`, where `s` is the
    label smoothing. logits: `*batch c`; labels: `*batch`. Returns loss: `*batch`.
    """
    wide = xp.float64 if logits.dtype == xp.float64 else xp.float32
    counts = labels != ignore_index
    z = xp.astype(logits, wide)
    z = z - xp.max(z, axis=-1, keepdims=True)
    loss = xp.log(xp.sum(xp.exp(z), axis=-1))
    classes = xp.arange(z.shape[-1], dtype=labels.dtype, device=device(labels))
    target = xp.sum(xp.where(labels[..., None] == classes, z, xp.zeros_like(z)), axis=-1)
    loss = loss - (1.0 - label_smoothing) * target - label_smoothing * xp.mean(z, axis=-1)
    return xp.where(counts, loss, xp.zeros_like(loss))
