"""References of the specs in this folder."""


def bend(xp, x, *, scale):
    return scale * x / (1 + xp.abs(x))
