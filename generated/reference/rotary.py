"""Reference of the rotary family."""


def rotary(xp, q, positions, cos_sin, k=None, *, style, inverse):
    """Rotate pairs among the first `2*r` elements of every head by the angle at the token's
    position.

    A pair `(a, b)` becomes `(a*cos - b*sin, b*cos + a*sin)`, with `-sin` for `inverse`. Pairs are
    `(x[i], x[r + i])` in style `"half"`, and `(x[2*i], x[2*i + 1])` in `"interleaved"`. All other
    elements are unchanged. Su et al., RoFormer, 2021, equation 34.

    q: `*lead t h d`; positions: `*lead t` or `t`; cos_sin: `p 2*r`, cosines, then sines; k: `*lead
    t hk d` or None. Returns q_out and k_out, like q and k.
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


def apply_rotary(xp, q, k, cos, sin, *, order, style, inverse):
    """Return `x * cos + J(x) * sin` for the first `2*r` elements of every head.

    `J` rotates each pair of `rotary` by a right angle, `J(a, b) = (-b, a)`. All other elements are
    unchanged. `inverse` computes the transposed map, `x * cos - J(x * sin)`. This rotates back, if
    both elements of a pair have the same angle.

    q: `*lead hk*g t d` for order `"HSD"`, `*lead t hk*g d` for `"SHD"`; k: like q, of `hk` heads;
    cos, sin: `*lead t 2*r` or `t 2*r`. Returns q_out and k_out, like q and k.
    """
    wide = xp.float64 if q.dtype == xp.float64 else xp.float32
    pairs = cos.shape[-1]
    heads = -3 if order == "HSD" else -2
    cos, sin = (xp.expand_dims(xp.astype(angles, wide), axis=heads) for angles in (cos, sin))

    def turned(x):
        if style == "half":
            return xp.concat((-x[..., pairs // 2 :], x[..., : pairs // 2]), axis=-1)
        return xp.reshape(xp.stack((-x[..., 1::2], x[..., 0::2]), axis=-1), x.shape)

    def rotate(x):
        xw = xp.astype(x, wide)
        part = xw[..., :pairs]
        part = part * cos - turned(part * sin) if inverse else part * cos + turned(part) * sin
        return xp.astype(xp.concat((part, xw[..., pairs:]), axis=-1), x.dtype)

    return rotate(q), rotate(k)
