"""Reference of the linear_cross_entropy family."""

from array_api_compat import device


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
    wide = xp.float64 if hidden.dtype == xp.float64 else xp.float32
    counts = labels != ignore_index
    z = xp.matmul(xp.astype(hidden, wide), xp.matrix_transpose(xp.astype(weight, wide)))
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
    return total if reduction == "sum" else total / xp.sum(xp.astype(counts, wide))
