"""Reference of the tensor_negate family."""


def tensor_negate(xp, x):
    """`-x`. x: `*s`. Returns y: `*s`."""
    return -x
