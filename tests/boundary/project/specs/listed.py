"""`ranked`: `x * factor`, and -1 for each row, which no kernel wrote."""


def ranked(xp, x, *, factor, careful):
    """x: `*batch d`. Returns y: `*batch d`, ran: `*batch`."""
    return x * factor, xp.zeros(x.shape[:-1], dtype=xp.int32) - 1
