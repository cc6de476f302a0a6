def three_interpolate(xp, features, idx, weight):
    b, c, m = features.shape
    n = idx.shape[1]
    flat = xp.broadcast_to(xp.reshape(idx, (b, 1, 3 * n)), (b, c, 3 * n))
    found = xp.reshape(
        xp.take_along_axis(features, xp.astype(flat, xp.int64), axis=2), (b, c, n, 3)
    )
    return xp.sum(found * weight[:, None], axis=-1)


def three_interpolate_grad(xp, dout, idx, weight, *, m):
    there = idx[..., None] == xp.arange(m, dtype=xp.int32)  # b n 3 m
    weight = weight[..., None]
    spread = xp.sum(xp.where(there, weight, xp.zeros_like(weight)), axis=2)
    dout = dout[..., None]
    read = xp.where(xp.any(there, axis=2)[:, None], dout, xp.zeros_like(dout))  # b c n m
    return xp.sum(read * spread[:, None], axis=2)
