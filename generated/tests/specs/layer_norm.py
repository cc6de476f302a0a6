"""Reference of the layer_norm family."""


def layer_norm(xp, x, weight=None, bias=None, *, normalized_shape, eps):
    """`(x - mean(x)) / sqrt(var(x) + eps) * weight + bias` over the trailing dims.

    Ba, Kiros and Hinton, Layer Normalization, 2016, equations 3 and 4; the variance is
    the biased one.

    x: `*batch *normalized_shape`; weight, bias: `*normalized_shape` or None. Returns y:
    `*batch *normalized_shape`, in x's dtype.
    """
    wide = xp.float64 if x.dtype == xp.float64 else xp.float32
    axes = tuple(range(x.ndim - len(normalized_shape), x.ndim))
    xw = xp.astype(x, wide)
    centred = xw - xp.mean(xw, axis=axes, keepdims=True)
    variance = xp.mean(centred * centred, axis=axes, keepdims=True)
    y = centred / xp.sqrt(variance + eps)
    if weight is not None:
        y = y * xp.astype(weight, wide)
    if bias is not None:
        y = y + xp.astype(bias, wide)
    return xp.astype(y, x.dtype)
