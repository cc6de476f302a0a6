"""Reference of the conv2d family."""

from array_api_compat import device


def conv2d(xp, x, weight, bias=None, *, stride, padding, dilation, groups):
    """Return the cross-correlation of images with the filters of each group, plus `bias`.

    `y[n, k, i, j]` is a sum over `c, r, s`. Each term is `weight[k, c, r, s]` times an element of
    `x`. This is channel `c` of the group of `k`, row `i*stride[0] + r*dilation[0] - padding[0]`,
    and the corresponding column. Outside of the image, x is 0. Dumoulin and Visin, A Guide to
    Convolution Arithmetic, 2016.

    x: `n groups*cg h w`; weight: `k cg r s`; bias: `k` or None; stride, padding, dilation: two ints
    each, for rows and columns. Returns y: `n k p q`, in x's dtype.
    """
    wide = xp.float64 if x.dtype == xp.float64 else xp.float32
    n, channels, h, w = x.shape
    k, cg, r, s = weight.shape
    p = (h + 2 * padding[0] - dilation[0] * (r - 1) - 1) // stride[0] + 1
    q = (w + 2 * padding[1] - dilation[1] * (s - 1) - 1) // stride[1] + 1

    xw = xp.astype(x, wide)
    side = xp.zeros((n, channels, h, padding[1]), dtype=wide, device=device(x))
    xw = xp.concat((side, xw, side), axis=3)
    side = (n, channels, padding[0], xw.shape[3])
    side = xp.zeros(side, dtype=wide, device=device(x))
    xw = xp.concat((side, xw, side), axis=2)

    ww = xp.reshape(xp.astype(weight, wide), (groups, k // groups, cg, r, s))
    y = xp.zeros((n, groups, k // groups, p * q), dtype=wide, device=device(x))
    for row in range(r):
        for column in range(s):
            top, left = row * dilation[0], column * dilation[1]
            rows = slice(top, top + (p - 1) * stride[0] + 1, stride[0])
            columns = slice(left, left + (q - 1) * stride[1] + 1, stride[1])
            patch = xp.reshape(xw[..., rows, columns], (n, groups, cg, p * q))
            y = y + xp.matmul(ww[..., row, column], patch)
    y = xp.reshape(y, (n, k, p, q))
    if bias is not None:
        y = y + xp.reshape(xp.astype(bias, wide), (k, 1, 1))
    return xp.astype(y, x.dtype)
