def axpz(xp, x, z, *, alpha, margins, negate):
    value = alpha * x + (0 if z is None else z)
    at = xp.arange(x.shape[-1])
    kept = (at >= margins[0]) & (at < x.shape[-1] - margins[1])
    return xp.where(kept, -value if negate else value, xp.zeros_like(value))


def total(xp, x):
    return xp.sum(x)
