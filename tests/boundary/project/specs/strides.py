def mirrored(xp, x, z, xs, *, as_is):
    return xp.astype(x, xp.float64), z, xs, xp.zeros((8,), dtype=xp.int64)


def gathered(xp, x, z):
    return xp.sum(x, axis=(1, 2)), z, xp.zeros((3,), dtype=xp.int64)


def turned(xp, x, a, z, k, ws, *, nhd):
    return x, k, xp.zeros((4, 5), dtype=xp.int64), [2 * w for w in ws]


def bump_all(xp, xs, by, *, inplace):
    ys = [x + by for x in xs]
    y = sum(xp.sum(each) for each in ys)
    return y, xp.zeros((len(xs), 2), dtype=xp.int64), ys if inplace else xs
