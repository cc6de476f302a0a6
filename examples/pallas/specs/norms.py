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


def rms_norm_bwd(xp, dy, x, weight, invvar):
    """Return the gradients of `rms_norm`. `invvar` is the factor by which the forward scales each
    row.

    dy, x: `*batch d`; weight: `d`; invvar: `*batch`. Returns dx: `*batch d`, dweight: `d`.
    """
    xw, g, r = (xp.astype(a, invvar.dtype) for a in (x, dy, invvar[..., None]))
    wdy = g * xp.astype(weight, invvar.dtype)
    mean = xp.mean(wdy * xw, axis=-1, keepdims=True)
    dx = r * (wdy - xw * (r * r) * mean)
    dweight = xp.sum(g * xw * r, axis=tuple(range(x.ndim - 1)))
    return xp.astype(dx, x.dtype), dweight
