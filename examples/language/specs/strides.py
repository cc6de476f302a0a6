def square(xp, x):
    """Return `x * x`. x: `*s`. Returns y: `*s`."""
    return x * x


def head_norms(xp, x):
    """Return the norm of each vector `x[t, h]`. x: `t h d`. Returns norms: `t h`."""
    return xp.sqrt(xp.sum(x * x, axis=2))


def scale_all(xp, xs, factor):
    """Return `factor * x` for each tensor `x` of a list. xs: the i-th of shape `*s[i]`; factor: a
    scalar. Returns ys, with the shapes of xs.
    """
    return ([factor * x for x in xs],)
