"""Reference of the tensor_negate family."""


def tensor_negate(xp, x):
    """Return `-x`. x: `*s`. Returns y: `*s`."""
    return -x
