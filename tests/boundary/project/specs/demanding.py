def scaled(xp, x, extra, *, factor):
    return x * factor, xp.zeros(x.shape[:-1], dtype=xp.int32)


def flipped(xp, x):
    size = xp.asarray(0, dtype=xp.int64)
    return xp.flip(x), size, size


def narrow(xp, x):
    return xp.asarray(-1, dtype=xp.int64)
