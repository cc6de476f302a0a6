"""References of the padded ops, and the function that computes their size."""


def fast_length(n, even):
    """Return the smallest length >= `n` without prime factors above 5; if `even`, an even one."""
    length = max(n, 1)
    while (even and length % 2) or not _smooth(length):
        length += 1
    return length


def multiple_of_four(n):
    return -(-n // 4) * 4


def _smooth(length):
    for prime in (2, 3, 5):
        while length % prime == 0:
            length //= prime
    return length == 1


def pad(xp, x, window, *, m, even=False):
    zeros = xp.zeros((*x.shape[:-1], m - x.shape[-1]), dtype=x.dtype)
    y = xp.concat([x, zeros], axis=-1)
    return y if window is None else y * window


def pad_bwd(xp, dy, window, *, n):
    dx = dy if window is None else dy * window
    return dx[..., :n]


def framed(xp, edge, x, both, *, m):
    zeros = xp.zeros((*x.shape[:-1], m - x.shape[-1]), dtype=x.dtype)
    return xp.concat([x, zeros], axis=-1) * (both[:m] + both[m:]), edge[m:]


def framed_bwd(xp, dy, drest, both, *, m, n):
    dedge = xp.concat([xp.zeros((m,), dtype=drest.dtype), drest])
    return (dy * (both[:m] + both[m:]))[..., :n], dedge
