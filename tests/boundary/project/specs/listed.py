"""Reference of `ranked`. Each kernel writes its index for each row, and the reference writes -1."""


def ranked(xp, x, *, factor, careful):
    """Return `x * factor` and -1 for each row.

    x: `*batch d`. Returns y: `*batch d`, ran: `*batch`.
    """
    return x * factor, xp.zeros(x.shape[:-1], dtype=xp.int32) - 1
