def scaled_all(xp, xs, scale, weight=None):
    """`scale * x * weight` of each of a list; xs: `*s[i] d`, scale: a scalar, weight: `d`."""
    return ([scale * (x if weight is None else x * weight) for x in xs],)


def squared_all(xp, xs):
    """`x * x` of each of a list; xs: `*s[i]`."""
    return ([x * x for x in xs],)


def multiplied_all(xp, xs, scale, ws=None):
    """`scale * x * w` of each of two lists; xs, ws: `*s[i]`, scale: a scalar."""
    return ([scale * (x if ws is None else x * ws[n]) for n, x in enumerate(xs)],)
