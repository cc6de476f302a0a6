def parts(m, sms):
    """Return one part for each multiprocessor; on the CPU, for each processor that may be used."""
    return max(1, min(m, sms))


def column_totals(xp, x, *, parts):
    """Sum each column, over all rows and over each of `parts` ranges of rows.

    x: `m n`. Returns the sums of all rows: `n`, and of each range: `parts n`.
    """
    cuts = [x.shape[0] * part // parts for part in range(parts + 1)]
    sums = xp.stack([xp.sum(x[a:b], axis=0) for a, b in zip(cuts, cuts[1:])])
    return xp.sum(sums, axis=0), sums
