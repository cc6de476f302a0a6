"""References of ops with a bundle as weight. A reference takes and returns the tensors of a bundle
one by one.
"""


def rows(xp, data, scale, zero, dtype):
    values = xp.astype(data, dtype)
    values = values if zero is None else values - xp.astype(zero, dtype)[:, None]
    return values, xp.astype(scale, dtype)


def linear(xp, x, data, scale, zero):
    values, scale = rows(xp, data, scale, zero, x.dtype)
    return x @ (values * scale[:, None]).T


def linear_bwd(xp, dy, x, data, scale, zero):
    values, scale = rows(xp, data, scale, zero, x.dtype)
    products = xp.reshape(dy * (x @ values.T), (-1, scale.shape[0]))
    return dy @ (values * scale[:, None]), xp.astype(xp.sum(products, axis=0), xp.float32)


def transposed_quantize(xp, x):
    scale = xp.max(xp.abs(x), axis=0) / 127
    return xp.astype(xp.round(x / scale).T, xp.int8), xp.astype(scale, xp.float32)
