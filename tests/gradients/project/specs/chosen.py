"""References of the ops that compute what is asked for."""


def affine(xp, x, weight=None, bias=None):
    """`x * weight + bias`: `*batch d`."""
    y = x if weight is None else x * weight
    return y if bias is None else y + bias


def root(xp, x):
    """`sqrt(x)`: `*s`."""
    return xp.sqrt(x)


def product(xp, a, b):
    """`a * b`: `*s`."""
    return a * b


def pool(xp, x, *, mode):
    """The sum, the largest or the first element of each row: `*batch`."""
    if mode == "first":
        return x[..., 0]
    return xp.sum(x, axis=-1) if mode == "sum" else xp.max(x, axis=-1)


def scaled(xp, x, factor=None):
    """`x * factor`: `*s`."""
    return x * 1 if factor is None else x * factor


def dense_twice(xp, x):
    """`2 * x`: `m n`."""
    return 2 * x


def cube(xp, x):
    """`x**3`; x: `*s`."""
    return x * x * x


def square(xp, x):
    """`x * x`; x: `*s`."""
    return x * x


def square_bwd(xp, dy, kept):
    """The gradient of `square`; dy, kept: `*s`, twice what was squared."""
    return dy * kept


def doubled(xp, xs):
    """Twice each of a list; xs: `*s[i]`."""
    return ([2 * x for x in xs],)
