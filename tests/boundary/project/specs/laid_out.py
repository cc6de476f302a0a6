def relaid(xp, x, z, total, *, by_rows):
    return x, z, xp.zeros((4, 3), dtype=xp.int64), 2 * total


def nudge(xp, x, by, times, more=None):
    """Return `x + times * (by + more)`. x, by, more: `m n`; times: a scalar. Returns x: `m n`."""
    return x + times * (by if more is None else by + more)
