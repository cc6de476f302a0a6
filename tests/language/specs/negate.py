"""Reference of the negate family."""


def negate(xp, x):
    """`-x`. x: `*s`. Returns y: `*s`."""
    return -x
