"""Reference of the rotary family."""


def rotary(xp, q, positions, cos_sin, k=None, *, style, inverse):
    """Rotates pairs of every head's first `2*r` elements by the angle at its position.

    `(a, b) -> (a*cos - b*sin, b*cos + a*sin)`, with `-sin` for `inverse`. Pairs are
    `(x[i], x[r + i])` in style `"half"`, `(x[2*i], x[2*i + 1])` in `"interleaved"`;
    what follows them is kept. Su et al., RoFormer, 2021, equation 34.

    q: `*lead t h d`; positions: `*lead t` or `t`; cos_sin: `p 2*r`, cosines, then
    sines; k: `*lead t hk d` or None. Returns q_out and k_out, like q and k.
    """
    wide = xp.float64 if q.dtype == xp.float64 else xp.float32
    r = cos_sin.shape[-1] // 2
    angles = xp.take(cos_sin, xp.reshape(positions, (-1,)), axis=0)
    angles = xp.reshape(xp.astype(angles, wide), (*positions.shape, 1, 2 * r))
    cos, sin = angles[..., :r], angles[..., r:]
    sin = -sin if inverse else sin

    def rotate(x):
        xw = xp.astype(x, wide)
        if style == "half":
            a, b = xw[..., :r], xw[..., r : 2 * r]
        else:
            a, b = xw[..., 0 : 2 * r : 2], xw[..., 1 : 2 * r : 2]
        pair = (a * cos - b * sin, b * cos + a * sin)
        if style == "half":
            turned = xp.concat(pair, axis=-1)
        else:
            turned = xp.reshape(xp.stack(pair, axis=-1), (*x.shape[:-1], 2 * r))
        return xp.astype(xp.concat((turned, xw[..., 2 * r :]), axis=-1), x.dtype)

    return rotate(q), None if k is None else rotate(k)
