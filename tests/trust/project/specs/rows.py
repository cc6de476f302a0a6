def rows(xp, x, weight, *, fault):
    """Return `x / sqrt(mean(x**2) + 0.01) * weight`, and the count of positive elements by row."""
    wide = xp.float64 if x.dtype == xp.float64 else xp.float32
    values = xp.astype(x, wide)
    mean = xp.mean(values * values, axis=-1, keepdims=True)
    y = values / xp.sqrt(mean + 0.01) * xp.astype(weight, wide)
    above = xp.sum(xp.astype(values > 0, xp.int32), axis=-1)
    return xp.astype(y, x.dtype), xp.astype(above, xp.int32)


def stretched(xp, x, *, fault):
    """Return `0.75*x + x`."""
    return 0.75 * x + x
