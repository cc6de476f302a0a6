"""References of the quantized_linear family."""


def _wide(xp, x):
    return xp.astype(x, xp.float64 if x.dtype == xp.float64 else xp.float32)


def _of_4_bits(xp, weight, scale, zero, dtype):
    """Return the weight that is stored as `weight`, `scale` and `zero`: `n 2*g*h`.

    The lower half of byte i of a row is value 2*i, and the upper half is value 2*i + 1.
    """
    n, groups = scale.shape
    halves = xp.stack([weight & 15, weight >> 4], axis=-1)  # n g*h 2
    each = 2 * weight.shape[1] // max(groups, 1)
    values = xp.astype(xp.reshape(halves, (n, groups, each)), dtype)
    values = values - (8 if zero is None else xp.astype(zero, dtype)[:, :, None])
    return xp.reshape(values * xp.astype(scale, dtype)[:, :, None], (n, groups * each))


def int8_linear(xp, x, weight, scale):
    """Return `(x @ weight.T) * scale`.

    x: `*batch k`; weight: `n k`, integers of 8 bits; scale: `n`. Returns y: `*batch n`.
    """
    wide = _wide(xp, x)
    sums = xp.matmul(wide, xp.matrix_transpose(xp.astype(weight, wide.dtype)))
    return xp.astype(sums * xp.astype(scale, wide.dtype), x.dtype)


def int8_linear_dgrad(xp, dy, weight, scale):
    """Return the gradient of `x`. dy: `*batch n`. Returns dx: `*batch k`."""
    wide = _wide(xp, dy)
    scaled = wide * xp.astype(scale, wide.dtype)
    return xp.astype(xp.matmul(scaled, xp.astype(weight, wide.dtype)), dy.dtype)


def int4_linear(xp, x, weight, scale, zero=None):
    """Return `x @ (scale * (weight - zero)).T`. Each group of values has one scale and one zero.

    x: `*batch 2*g*h`; weight: `n g*h`, bytes of two values each; scale, zero: `n g`. Returns y:
    `*batch n`.
    """
    wide = _wide(xp, x)
    whole = _of_4_bits(xp, weight, scale, zero, wide.dtype)
    return xp.astype(xp.matmul(wide, xp.matrix_transpose(whole)), x.dtype)


def int4_linear_dgrad(xp, dy, weight, scale, zero=None):
    """Return the gradient of `x`. dy: `*batch n`. Returns dx: `*batch 2*g*h`."""
    wide = _wide(xp, dy)
    whole = _of_4_bits(xp, weight, scale, zero, wide.dtype)
    return xp.astype(xp.matmul(wide, whole), dy.dtype)
