def squash(xp, x, gain, bias=None, *, by, scale):
    """Squash each element to a limited range. x: `*batch d`; gain: a scalar; bias: `d` or None.
    Returns y: `*batch d`.
    """
    z = x * scale if bias is None else x * scale + bias
    return gain * (xp.tanh(z) if by == "tanh" else z / (1 + xp.abs(z)))


def polynomial(xp, x, *, coefficients):
    """Return the sum of `coefficients[i] * x**i` over all i. x: `*s`. Returns y: `*s`."""
    y = 0 * x
    for coefficient in reversed(coefficients):
        y = y * x + coefficient
    return y


def moved(xp, x, by=None):
    """Return `x + by`. x: `*s`; by: `*s` or None. Returns `*s`."""
    return x * 1 if by is None else x + xp.astype(by, x.dtype)
