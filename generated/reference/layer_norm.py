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


def layer_norm_bwd(xp, dy, x, mean, rstd, weight=None, *, eps):
    """Gradient of `layer_norm`, as a function of `dy`, `x` and `weight` alone.

    `mean` and `rstd` follow from `x` and are computed anew, so that this can be
    differentiated.

    dy, x: `*batch *norm`; mean, rstd: `*batch`; weight: `*norm` or None. Returns dx:
    `*batch *norm`, in x's dtype; dweight, dbias: `*norm`, in f32 (f64 for f64 x).
    """
    wide = xp.float64 if x.dtype == xp.float64 else xp.float32
    batch, norm = tuple(range(mean.ndim)), tuple(range(mean.ndim, x.ndim))
    xw, dyw = xp.astype(x, wide), xp.astype(dy, wide)
    centred = xw - xp.mean(xw, axis=norm, keepdims=True)
    variance = xp.mean(centred * centred, axis=norm, keepdims=True)
    scale = 1 / xp.sqrt(variance + eps)
    normal = centred * scale
    g = dyw if weight is None else dyw * xp.astype(weight, wide)
    along = xp.mean(g * normal, axis=norm, keepdims=True)
    dx = scale * (g - xp.mean(g, axis=norm, keepdims=True) - normal * along)
    dweight, dbias = xp.sum(dyw * normal, axis=batch), xp.sum(dyw, axis=batch)
    return xp.astype(dx, x.dtype), dweight, dbias
