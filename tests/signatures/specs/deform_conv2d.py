"""Reference of the deform_conv2d family."""


def deform_conv2d(xp, input, weight, offset, mask=None, bias=None, *, stride, padding, dilation):
    """Return a convolution whose taps are moved by `offset` and multiplied by `mask`.

    Dai et al., Deformable Convolutional Networks, 2017; for the mask, Zhu et al., 2019. For each
    group of offsets and each tap, `offset` has the row offset, then the column offset.
    """
    wide = xp.float64 if input.dtype == xp.float64 else xp.float32
    n, channels, h, w = input.shape
    k, cg, r, s = weight.shape
    p, q = offset.shape[2:]
    groups = channels // cg
    og = offset.shape[1] // (2 * r * s)
    shift = xp.reshape(xp.astype(offset, wide), (n, og, r, s, 2, p, q))

    def taps(count, step, out, pad, gap):
        tap = xp.astype(xp.arange(count), wide)[:, None] * gap
        return tap + xp.astype(xp.arange(out), wide) * step - pad  # count out

    rows = taps(r, stride[0], p, padding[0], dilation[0])[:, None, :, None] + shift[:, :, :, :, 0]
    columns = (
        taps(s, stride[1], q, padding[1], dilation[1])[None, :, None, :] + shift[:, :, :, :, 1]
    )
    # n og r s p q; bilinear weights: the weight of a pixel falls to 0 at a distance of 1.
    at_row = xp.clip(1 - xp.abs(rows[..., None] - xp.astype(xp.arange(h), wide)), min=0.0)
    at_column = xp.clip(1 - xp.abs(columns[..., None] - xp.astype(xp.arange(w), wide)), min=0.0)
    image = xp.reshape(xp.astype(input, wide), (n, og, channels // og, h, w))
    flat = xp.reshape(at_row, (n, og, 1, r * s * p * q, h))
    by_row = xp.matmul(flat, image)  # n og c taps w
    sampled = xp.sum(by_row * xp.reshape(at_column, (n, og, 1, r * s * p * q, w)), axis=-1)
    sampled = xp.reshape(sampled, (n, og, channels // og, r * s, p * q))
    if mask is not None:
        sampled = sampled * xp.reshape(xp.astype(mask, wide), (n, og, 1, r * s, p * q))
    patches = xp.reshape(sampled, (n, groups, cg * r * s, p * q))
    kernel = xp.reshape(xp.astype(weight, wide), (groups, k // groups, cg * r * s))
    out = xp.reshape(xp.matmul(kernel, patches), (n, k, p, q))
    if bias is not None:
        out = out + xp.astype(bias, wide)[:, None, None]
    return xp.astype(out, input.dtype)
