def spread(xp, x, by=None, sums=False):
    twice = 2 * x
    total = xp.sum(xp.astype(x, xp.float64), axis=1) if sums else None
    return twice, total, None if by is None else x * by, twice


def halves(xp, x, rests=False):
    return x / 2, x % 2 if rests else None, xp.zeros(x.shape[0], dtype=xp.int32)
