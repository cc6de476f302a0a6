def relaid(xp, x, z, total, *, by_rows):
    return x, z, xp.zeros((4, 3), dtype=xp.int64), 2 * total
