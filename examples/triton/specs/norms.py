"""References of the norm ops."""


def rms_norm(xp, x, weight, *, eps):
    """Return `x / sqrt(mean(x**2) + eps) * weight`. x: `*batch d`; weight: `d`.

    Returns y: `*batch d`.
    """
    wide = xp.float64 if x.dtype == xp.float64 else xp.float32
    xw = xp.astype(x, wide)
    invvar = 1.0 / xp.sqrt(xp.mean(xw * xw, axis=-1) + eps)
    y = xw * invvar[..., None] * xp.astype(weight, wide)
    return xp.astype(y, x.dtype)


def rms_norm_dx(xp, dy, x, weight, invvar):
    """Return the gradient of `rms_norm` for `x`. `invvar` is the factor by which the forward scales
    each row.

    dy, x: `*batch d`; weight: `d`; invvar: `*batch`. Returns dx: `*batch d`.
    """
    xw, r = xp.astype(x, invvar.dtype), invvar[..., None]
    wdy = xp.astype(dy, invvar.dtype) * xp.astype(weight, invvar.dtype)
    mean = xp.mean(wdy * xw, axis=-1, keepdims=True)
    return xp.astype(r * (wdy - xw * r * r * mean), x.dtype)


def rms_norm_dweight(xp, dy, x, invvar):
    """Return the gradient of `rms_norm` for `weight`. `invvar` is the factor by which the forward
    scales each row.

    dy, x: `*batch d`; invvar: `*batch`. Returns dweight: `d`.
    """
    products = xp.astype(dy, invvar.dtype) * xp.astype(x, invvar.dtype) * invvar[..., None]
    return xp.astype(xp.sum(products, axis=tuple(range(x.ndim - 1))), x.dtype)
