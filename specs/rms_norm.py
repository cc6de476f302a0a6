"""Reference of the rms_norm family."""


def rms_norm(xp, x, weight, *, eps):
    """Return `x / sqrt(mean(x**2) + eps) * weight`, with the mean over the dims of `weight`.

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


def rms_norm_squares(xp, x, *, norm):
    """Return `mean(x**2)` over the trailing dims `norm`.

    x: `*batch *norm`. Returns squares: `*batch`, in f32 (f64 for f64 x).
    """
    axes = tuple(range(x.ndim - len(norm), x.ndim))
    xw = xp.astype(x, xp.float64 if x.dtype == xp.float64 else xp.float32)
    return xp.mean(xw * xw, axis=axes)


def rms_norm_scale(xp, x, weight, squares, *, eps):
    """Return `x / sqrt(squares + eps) * weight`.

    x: `*batch *norm`; weight: `*norm`; squares: `*batch`. Returns y: `*batch *norm`, in weight's
    dtype, and invvar: `*batch`, `1 / sqrt(squares + eps)`.
    """
    out = xp.float64 if weight.dtype == xp.float64 else squares.dtype
    invvar = 1.0 / xp.sqrt(squares + eps)
    rows = xp.reshape(invvar, (*invvar.shape, *[1] * weight.ndim))
    y = xp.astype(xp.astype(x, squares.dtype) * rows, out) * xp.astype(weight, out)
    return xp.astype(y, weight.dtype), invvar


def rms_norm_bwd_products(xp, dy, invvar, x, weight):
    """Return `mean(dy * weight * x * invvar)` over the dims of `weight`.

    dy, x: `*batch *norm`; invvar: `*batch`; weight: `*norm`. Returns products: `*batch`, in f32
    (f64 if x or weight is f64).
    """
    wide = xp.float64 if weight.dtype == xp.float64 else invvar.dtype
    axes = tuple(range(x.ndim - weight.ndim, x.ndim))
    rows = xp.reshape(invvar, (*invvar.shape, *[1] * weight.ndim))
    h = xp.astype(xp.astype(x, invvar.dtype) * rows, wide)
    return xp.mean(xp.astype(dy, wide) * xp.astype(weight, wide) * h, axis=axes)


def rms_norm_bwd_apply(xp, dy, invvar, x, weight, products):
    """Return the gradients of `rms_norm`, with `h = x * invvar` and `products = mean(dy * weight *
    h)`.

    dy, x: `*batch *norm`; invvar, products: `*batch`; weight: `*norm`. Returns dx: `*batch *norm`,
    `invvar * (dy * weight - h * products)`, in x's dtype, and dweight: `*norm`, the sum over rows
    of `dy * h`, in products' dtype.
    """
    wide = products.dtype
    ones = [1] * weight.ndim
    scale = xp.astype(xp.reshape(invvar, (*invvar.shape, *ones)), wide)
    mean = xp.reshape(products, (*products.shape, *ones))
    h = xp.astype(x, wide) * scale
    d = xp.astype(dy, wide)
    dx = scale * (d * xp.astype(weight, wide) - h * mean)
    dweight = xp.sum(d * h, axis=tuple(range(x.ndim - weight.ndim)))
    return xp.astype(dx, x.dtype), dweight
