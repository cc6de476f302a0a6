"""Reference of the topk_softmax family."""


def topk_softmax(xp, logits, *, k, renormalize):
    """Return the `k` largest elements of `softmax(logits)`, the largest first, and their indices.

    Equal logits are ordered by index. With `renormalize` the weights are divided by their sum.
    Shazeer et al., Outrageously Large Neural Networks, 2017, equations 3 to 5, without the noise.

    logits: `*batch e`. Returns weights: `*batch k`, in f32 (f64 for f64 logits); ids: `*batch k`,
    in the namespace's default integer dtype.
    """
    wide = xp.float64 if logits.dtype == xp.float64 else xp.float32
    z = xp.astype(logits, wide)
    ids = xp.argsort(-z, axis=-1, stable=True)[..., :k]
    shares = xp.exp(z - xp.max(z, axis=-1, keepdims=True))
    weights = xp.take_along_axis(shares, ids, axis=-1)
    whole = weights if renormalize else shares
    return weights / xp.sum(whole, axis=-1, keepdims=True), ids
