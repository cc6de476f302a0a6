def column_sums(xp, x):
    """x: `n d`. Returns sums: `d`."""
    return xp.sum(x, axis=0)
