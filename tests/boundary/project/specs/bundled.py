"""References of ops with bundles.

A reference takes and returns the tensors of a bundle separately.
"""


def rows(xp, data, scale, zero):
    values = xp.astype(data, scale.dtype)
    return (values if zero is None else values - zero[:, None]) * scale[:, None]


def product(xp, x, data, scale, zero):
    return x @ rows(xp, data, scale, zero).T


def quantize(xp, x, *, shift):
    low, high = xp.min(x, axis=1), xp.max(x, axis=1)
    middle = (low + high) / 2 if shift else xp.zeros_like(low)
    scale = xp.max(xp.abs(x - middle[:, None]), axis=1) / 127
    data = xp.astype(xp.round((x - middle[:, None]) / scale[:, None]), xp.int8)
    return xp.asarray(x.shape[0]), data, scale, -middle / scale if shift else None


def swapped(xp, x, left, right):
    if left is None:
        return None, None, x
    return 2 * right, 2 * left, x


def rows_or(xp, x, data, scale, zero):
    return x if data is None else rows(xp, data, scale, zero)
