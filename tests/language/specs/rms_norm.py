"""Reference of the rms_norm family."""


def rms_norm(xp, x, weight, *, eps):
    """`x / sqrt(mean(x**2) + eps) * weight`, the mean over the dims of `weight`.

    Zhang and Sennrich, Root Mean Square Layer Normalization, 2019, equation 4.
    x: `*batch *norm`; weight: `*norm`. Returns y: `*batch *norm`, in weight's dtype.
    """
    wide = xp.float64 if x.dtype == xp.float64 else xp.float32
    out = xp.float64 if weight.dtype == xp.float64 else wide
    axes = tuple(range(x.ndim - weight.ndim, x.ndim))
    xw = xp.astype(x, wide)
    mean = xp.mean(xw * xw, axis=axes, keepdims=True)
    invvar = 1.0 / xp.sqrt(mean + eps)
    y = xp.astype(xw * invvar, out) * xp.astype(weight, out)
    return xp.astype(y, weight.dtype)
