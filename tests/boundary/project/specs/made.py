def histogram(xp, at, x, *, bins, least):
    met = at[None, :] == xp.arange(bins)[:, None]
    counts = xp.sum(xp.astype(met, xp.int32), axis=1, dtype=xp.int32)
    low = xp.full_like(x[:1], -least)
    most = xp.max(xp.where(met, xp.maximum(x, low)[None, :], low), axis=1)
    return counts, most, counts == 0


def halved(xp, xs):
    halves = [x[: x.shape[0] // 2] for x in xs]
    return halves, [xp.asarray(x.size, dtype=xp.int64) for x in halves]


def pieces(xp, x, *, n):
    return list(xp.reshape(x, (n, x.shape[0] // n)))


def aligned_sum(xp, x, z, total):
    return x + z, xp.asarray(False), total + 1


def aligned_small(xp, x):
    return x, xp.asarray(False)
