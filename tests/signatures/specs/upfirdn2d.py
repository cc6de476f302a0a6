def upfirdn2d(xp, x, f, *, upx, upy, downx, downy, padx0, padx1, pady0, pady1, flip, gain):
    x = resample(xp, x, 3, upx, padx0, padx1)
    x = resample(xp, x, 2, upy, pady0, pady1)
    if f is None:
        return x[:, :, ::downy, ::downx] * gain
    f = xp.astype(f, x.dtype)
    if f.ndim == 1:
        f = f[:, None] * f[None, :]
    if not flip:
        f = xp.flip(f)
    fh, fw = f.shape
    oh, ow = x.shape[2] - fh + 1, x.shape[3] - fw + 1
    y = sum(f[i, j] * x[:, :, i : i + oh, j : j + ow] for i in range(fh) for j in range(fw))
    return y[:, :, ::downy, ::downx] * gain


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
