def scaled_all(xp, xs, scale, weight=None):
    """Return `scale * x * weight` for each `x` in `xs`.

    xs: `*s[i] d`; scale: a scalar; weight: `d`.
    """
    return ([scale * (x if weight is None else x * weight) for x in xs],)


def squared_all(xp, xs):
    """Return `x * x` for each `x` in `xs`. xs: `*s[i]`."""
    return ([x * x for x in xs],)


def multiplied_all(xp, xs, scale, ws=None):
    """Return `scale * x * w` for each pair of `xs` and `ws`. xs, ws: `*s[i]`; scale: a scalar."""
    return ([scale * (x if ws is None else x * ws[n]) for n, x in enumerate(xs)],)
