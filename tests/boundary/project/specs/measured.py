"""References of the ops in `measured.toml`."""


def extended(xp, x, more=None):
    first = x[0] if x.ndim == 3 else x
    b = x.shape[0] if x.ndim == 3 else 0
    y = first if more is None else xp.concat([first, more], axis=0)
    k, rank = (0, -1) if more is None else (more.shape[0], 2)
    seen = [b, first.shape[0], k, first.shape[0] + k, rank]
    return y, xp.asarray(seen, dtype=xp.float64)


def segmented(xp, x, counts, w=None):
    ends = xp.cumulative_sum(counts)[:, None]
    at = xp.arange(x.shape[0])[None, :]
    inside = (ends - counts[:, None] <= at) & (at < ends)
    y = xp.sum(xp.where(inside, x, xp.zeros_like(x)), axis=1)
    return y if w is None else y * w


def rotated(xp, x, *, by=1j):
    y = x * by
    return y, xp.real(y) ** 2 + xp.imag(y) ** 2


def weighed(xp, xs, w):
    return [x * w for x in xs], [xp.asarray(x.shape[0], dtype=xp.int64) for x in xs]
