"""References of the planted kernels, which are wrong if `fault` is not 0."""


def planted(xp, x, *, fault):
    """`x**3`. x: `*batch n`. Returns y: `*batch n`."""
    return x * x * x


def planted_(xp, x, *, fault):
    """`x + 1`. x: `*batch n`. Returns x: `*batch n`."""
    return x + 1
