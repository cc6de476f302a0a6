def upfirdn2d(xp, x, f, *, upx, upy, downx, downy, padx0, padx1, pady0, pady1, flip, gain):
    def padded(x):
        return resample(xp, resample(xp, x, 3, upx, padx0, padx1), 2, upy, pady0, pady1)

    def windows(x):
        return cut(xp, cut(xp, padded(x), 2, f.shape[0], downy), 4, f.shape[1], downx)

    if f is None:
        return padded(x)[:, :, ::downy, ::downx] * gain
    f = xp.astype(f, x.dtype)
    if f.ndim == 1:
        f = f[:, None] * f[None, :]
    if not flip:
        f = xp.flip(f)
    # The op does not read the filter where there is no pixel: a NaN would spread.
    there = windows(xp.ones((1, 1, *x.shape[2:]), dtype=x.dtype)) > 0
    read = xp.where(there, f[:, None, :], xp.zeros_like(f[:, None, :]))  # oh fh ow fw
    return xp.sum(windows(x) * read, axis=(3, 5)) * gain


def cut(xp, x, axis, size, step):
    places = xp.arange(0, x.shape[axis] - size + 1, step)[:, None] + xp.arange(size)
    found = xp.take(x, xp.reshape(places, (-1,)), axis=axis)
    return xp.reshape(found, (*x.shape[:axis], *places.shape, *x.shape[axis + 1 :]))


def resample(xp, x, axis, up, before, after):
    n = x.shape[axis]
    if up > 1:
        x = x[..., None] if axis == 3 else x[:, :, :, None]
        zeros = xp.zeros((*x.shape[: axis + 1], up - 1, *x.shape[axis + 2 :]), dtype=x.dtype)
        x = xp.concat([x, zeros], axis=axis + 1)
        x = xp.reshape(x, (*x.shape[:axis], n * up, *x.shape[axis + 2 :]))

    def zeros_of(size):
        shape = list(x.shape)
        shape[axis] = size
        return xp.zeros(tuple(shape), dtype=x.dtype)

    x = xp.concat([zeros_of(max(before, 0)), x, zeros_of(max(after, 0))], axis=axis)
    keep = slice(max(-before, 0), x.shape[axis] - max(-after, 0))
    return x[:, :, keep] if axis == 2 else x[:, :, :, keep]
