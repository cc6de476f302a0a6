"""Reference of the group_norm_nhwc family."""


def group_norm_nhwc(xp, input, weight, bias, *, groups, eps, passes, with_swish):
    """Return the group normalization y, or `y * sigmoid(y)` if `with_swish`.

    Wu and He, Group Normalization, 2018.
    """
    wide = xp.float64 if input.dtype == xp.float64 else xp.float32
    n, c, h, w = input.shape
    x = xp.reshape(xp.astype(input, wide), (n, groups, -1))
    mean = xp.mean(x, axis=2, keepdims=True)
    var = xp.mean((x - mean) ** 2, axis=2, keepdims=True)
    y = xp.reshape((x - mean) / xp.sqrt(var + eps), (n, c, h * w))
    y = y * xp.astype(weight, wide)[:, None] + xp.astype(bias, wide)[:, None]
    if with_swish:
        y = y / (1 + xp.exp(-y))
    return xp.astype(xp.reshape(y, (n, c, h, w)), input.dtype)
