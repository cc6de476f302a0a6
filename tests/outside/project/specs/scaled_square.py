"""Reference of the scaled_square family."""


def scaled_square(xp, x, *, scale):
    """`scale * x**2`. x: `*s`. Returns y: `*s`."""
    return scale * x * x
