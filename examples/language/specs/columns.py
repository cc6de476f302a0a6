def column_sums(xp, x):
    """Sum each column. x: `n d`. Returns sums: `d`."""
    return xp.sum(x, axis=0)
