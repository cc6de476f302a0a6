"""Reference of the scaled family."""


def scaled(xp, x, kept, bias=None, *, by, negate):
    """`x * by + bias`, or zeros. x: `*batch d`; kept: `*batch`; bias: `d`. Returns y: `*batch d`."""
    wide = xp.float64 if x.dtype == xp.float64 else xp.float32
    y = xp.astype(x, wide) * (-by if negate else by)
    y = y if bias is None else y + bias
    return xp.astype(xp.where(kept[..., None], y, 0.0), x.dtype)


def halved(xp, x):
    """x: `n`. Returns y: `n`."""
    return x / 2
