"""References of ops that compute only the requested results.

Docstrings give shapes as in specs. For example, `*batch d` is any number of dims, then one of size
`d`.
"""


def affine(xp, x, weight=None, bias=None):
    """Return `x * weight + bias`. x: `*batch d`; weight, bias: `d`. Returns y: `*batch d`."""
    y = x if weight is None else x * weight
    return y if bias is None else y + bias


def root(xp, x):
    """Return `sqrt(x)`. x: `*s`. Returns y: `*s`."""
    return xp.sqrt(x)


def product(xp, a, b):
    """Return `a * b`. a, b: `*s`. Returns y: `*s`."""
    return a * b


def pool(xp, x, *, mode):
    """Return the sum, the largest or the first element of each row of `x`: `*batch`."""
    if mode == "first":
        return x[..., 0]
    return xp.sum(x, axis=-1) if mode == "sum" else xp.max(x, axis=-1)


def scaled(xp, x, factor=None):
    """Return `x * factor`. x: `*s`. Returns y: `*s`."""
    return x * 1 if factor is None else x * factor


def dense_twice(xp, x):
    """Return `2 * x`. x: `m n`. Returns y: `m n`."""
    return 2 * x


def cube(xp, x):
    """Return `x**3`. x: `*s`. Returns y: `*s`."""
    return x * x * x


def square(xp, x):
    """Return `x * x`. x: `*s`. Returns y: `*s`."""
    return x * x


def square_bwd(xp, dy, kept):
    """Return the gradient of `square`. dy: `*s`; kept: `*s`, twice the input of `square`."""
    return dy * kept


def doubled(xp, xs):
    """Return a list with twice each tensor of `xs`, whose shapes are `*s[i]`."""
    return ([2 * x for x in xs],)
