def rearranged(xp, x, z=None, *, wide):
    return x, z, xp.zeros((2, 3), dtype=xp.int64)


def bump(xp, x, by, *, inplace):
    return x + by, x + by if inplace else x
