"""Reference of the layer_norm family."""


def layer_norm(xp, x, weight=None, bias=None, *, normalized_shape, eps):
    """Return `(x - mean(x)) / sqrt(var(x) + eps) * weight + bias` over the trailing dims.

    Ba, Kiros and Hinton, Layer Normalization, 2016, equations 3 and 4, with the biased variance.

    x: `*batch *normalized_shape`; weight, bias: `*normalized_shape` or None. Returns y: `*batch
    *normalized_shape`, in x's dtype.
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
    """Return the gradient of `layer_norm`, as a function of only `dy`, `x` and `weight`.

    `mean` and `rstd` follow from `x` and are computed again, so that this function can be
    differentiated.

    dy, x: `*batch *norm`; mean, rstd: `*batch`; weight: `*norm` or None. Returns dx: `*batch
    *norm`, in x's dtype; dweight, dbias: `*norm`, in f32 (f64 for f64 x).
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


def _wide(xp, x):
    return xp.float64 if x.dtype == xp.float64 else xp.float32


def _rows(xp, value, x):
    """Return `value`, one number for each row of `x`, in a shape that broadcasts to `x`."""
    return xp.reshape(value, (*value.shape, *[1] * (x.ndim - value.ndim)))


def layer_norm_mean(xp, x, *, normalized_shape):
    """Return the mean over the trailing dims.

    x: `*batch *normalized_shape`. Returns mean: `*batch`, in f32 (f64 for f64 x).
    """
    axes = tuple(range(x.ndim - len(normalized_shape), x.ndim))
    return xp.mean(xp.astype(x, _wide(xp, x)), axis=axes)


def layer_norm_variance(xp, x, mean, *, normalized_shape):
    """Return the mean of `(x - mean)**2` over the trailing dims.

    x: `*batch *normalized_shape`; mean: `*batch`. Returns variance: `*batch`, in mean's dtype.
    """
    centred = xp.astype(x, mean.dtype) - _rows(xp, mean, x)
    return xp.mean(centred * centred, axis=tuple(range(mean.ndim, x.ndim)))


def layer_norm_scale(xp, x, mean, variance, weight=None, bias=None, *, normalized_shape, eps):
    """Return `(x - mean) / sqrt(variance + eps) * weight + bias`.

    x: `*batch *normalized_shape`; mean, variance: `*batch`; weight, bias: `*normalized_shape` or
    None. Returns y: `*batch *normalized_shape`, in x's dtype, and rstd: `*batch`, `1 /
    sqrt(variance + eps)`.
    """
    rstd = 1.0 / xp.sqrt(variance + eps)
    y = (xp.astype(x, mean.dtype) - _rows(xp, mean, x)) * _rows(xp, rstd, x)
    if weight is not None:
        y = y * xp.astype(weight, mean.dtype)
    if bias is not None:
        y = y + xp.astype(bias, mean.dtype)
    return xp.astype(y, x.dtype), rstd


def _normal(xp, dy, x, mean, rstd, weight):
    """Return `h = (x - mean) * rstd`, and `dy` before and after it is multiplied by the weight."""
    wide = mean.dtype
    h = (xp.astype(x, wide) - _rows(xp, mean, x)) * _rows(xp, rstd, x)
    dyw = xp.astype(dy, wide)
    return h, dyw, dyw if weight is None else dyw * xp.astype(weight, wide)


def layer_norm_bwd_means(xp, dy, x, mean, rstd, weight=None):
    """Return the means of `g = dy * weight` and of `g * (x - mean) * rstd` over the trailing dims.

    dy, x: `*batch *norm`; mean, rstd: `*batch`; weight: `*norm` or None. Returns both: `*batch`, in
    mean's dtype.
    """
    h, _, g = _normal(xp, dy, x, mean, rstd, weight)
    norm = tuple(range(mean.ndim, x.ndim))
    return xp.mean(g, axis=norm), xp.mean(g * h, axis=norm)


def layer_norm_bwd_apply(xp, dy, x, mean, rstd, weight=None, g_mean=None, gh_mean=None):
    """Return the gradients of `layer_norm`, from the means of its rows.

    With `h = (x - mean) * rstd`, dx is `rstd * (dy * weight - g_mean - h * gh_mean)`, in x's dtype.
    dweight and dbias are the sums of `dy * h` and `dy` over the rows: `*norm`, in mean's dtype.

    dy, x: `*batch *norm`; mean, rstd: `*batch`; weight: `*norm` or None; g_mean, gh_mean: `*batch`,
    or None if dx is not requested.
    """
    h, dyw, g = _normal(xp, dy, x, mean, rstd, weight)
    batch = tuple(range(mean.ndim))
    dweight, dbias = xp.sum(dyw * h, axis=batch), xp.sum(dyw, axis=batch)
    if g_mean is None:
        return None, dweight, dbias
    dx = _rows(xp, rstd, x) * (g - _rows(xp, g_mean, x) - h * _rows(xp, gh_mean, x))
    return xp.astype(dx, x.dtype), dweight, dbias
