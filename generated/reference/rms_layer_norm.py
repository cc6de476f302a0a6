"""References of the rms_layer_norm family."""


def rms_layer_norm(xp, x, weight=None, *, normalized_shape, eps, offset, cast_first):
    """Return `x / sqrt(mean(x**2) + eps) * (weight + offset)` over the trailing dims.

    Zhang and Sennrich, Root Mean Square Layer Normalization, 2019, equation 4. Without a weight the
    factor is 1. With `cast_first` the quotient is rounded to x's dtype before the product.

    x: `*batch *normalized_shape`; weight: `*normalized_shape` or None. Returns y: `*batch
    *normalized_shape`, in x's dtype. With `cast_first` and a weight, y has the dtype of their
    product.
    """
    wide = xp.float64 if x.dtype == xp.float64 else xp.float32
    axes = tuple(range(x.ndim - len(normalized_shape), x.ndim))
    xw = xp.astype(x, wide)
    y = xw / xp.sqrt(xp.mean(xw * xw, axis=axes, keepdims=True) + eps)
    if weight is None:
        return xp.astype(y, x.dtype)
    out = x.dtype
    if cast_first:
        y, out = xp.astype(xp.astype(y, x.dtype), wide), xp.result_type(x, weight)
    return xp.astype(y * (xp.astype(weight, wide) + offset), out)


def rms_layer_norm_bwd(xp, dy, x, rstd, weight=None, *, eps, offset, cast_first):
    """Return the gradient of `rms_layer_norm`, as a function of only `dy`, `x` and `weight`.

    `rstd` follows from `x` and is computed again, so that this function can be differentiated. The
    rounding of `cast_first` is ignored.

    dy, x: `*batch *norm`; rstd: `*batch`; weight: `*norm` or None. Returns dx: `*batch *norm`, in
    x's dtype; dweight: `*norm`, in f32 (f64 for f64 x), None without a weight.
    """
    wide = xp.float64 if x.dtype == xp.float64 else xp.float32
    batch, norm = tuple(range(rstd.ndim)), tuple(range(rstd.ndim, x.ndim))
    xw, dyw = xp.astype(x, wide), xp.astype(dy, wide)
    scale = 1 / xp.sqrt(xp.mean(xw * xw, axis=norm, keepdims=True) + eps)
    h = xw * scale
    g = dyw if weight is None else dyw * (xp.astype(weight, wide) + offset)
    dx = xp.astype(scale * (g - h * xp.mean(g * h, axis=norm, keepdims=True)), x.dtype)
    return dx, None if weight is None else xp.sum(dyw * h, axis=batch)
