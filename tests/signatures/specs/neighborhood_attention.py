"""Reference of the neighborhood_attention family."""

import math


def neighborhood_attention(
    xp,
    query,
    key,
    value,
    additional_keys=None,
    additional_values=None,
    *,
    kernel_size,
    stride,
    dilation,
    is_causal,
    scale,
    q_tile_shape,
    kv_tile_shape,
    return_lse=False,
):
    """Return the attention of each position to a window around it, and the log-sum-exp.

    Hassani et al., Neighborhood Attention Transformer, 2023; Generalized Neighborhood Attention,
    2025. This reference computes the scores of all pairs of positions.
    """
    wide = xp.float64 if query.dtype == xp.float64 else xp.float32
    b, *space, heads, d = query.shape
    hk, e = value.shape[-2:]
    g, places = heads // hk, math.prod(space)
    seen = xp.ones((1, 1), dtype=xp.bool)
    for size, *window in zip(space, kernel_size, stride, dilation, is_causal):
        line = _seen(xp, size, *window)
        both = seen[:, None, :, None] & line[None, :, None, :]
        seen = xp.reshape(both, (seen.shape[0] * size, seen.shape[1] * size))

    def tokens(x):
        """Return `x` in the shape `b hk t d`, with all positions in one dim."""
        flat = xp.reshape(xp.astype(x, wide), (b, -1, *x.shape[-2:]))
        return xp.permute_dims(flat, (0, 2, 1, 3))

    q = xp.reshape(tokens(query), (b, hk, g, places, d))
    k, v = tokens(key), tokens(value)
    if additional_keys is not None:
        k = xp.concat([k, tokens(additional_keys)], axis=2)
        v = xp.concat([v, tokens(additional_values)], axis=2)
        more = xp.ones((places, additional_keys.shape[1]), dtype=xp.bool)
        seen = xp.concat([seen, more], axis=1)
    scores = scale * xp.matmul(q, xp.matrix_transpose(k)[:, :, None])  # b hk g t s
    scores = xp.where(seen, scores, xp.full_like(scores, -1e30))
    most = xp.max(scores, axis=-1, keepdims=True)
    shares = xp.exp(scores - most)
    total = xp.sum(shares, axis=-1, keepdims=True)
    out = xp.matmul(shares / total, v[:, :, None])
    out = xp.reshape(xp.permute_dims(out, (0, 3, 1, 2, 4)), (b, *space, heads, e))
    lse = None
    if return_lse:
        lse = xp.permute_dims((most + xp.log(total))[..., 0], (0, 3, 1, 2))
        lse = xp.reshape(lse, (b, *space, heads))
        lse = lse if wide == xp.float64 else xp.astype(lse, xp.float32)
    return xp.astype(out, query.dtype), lse


def _seen(xp, size, window, stride, dilation, causal):
    """Return a mask of the positions that each position along one axis sees: `size size`."""
    place = xp.arange(size)
    own, group = place // dilation, place % dilation
    last = (size - 1 - group) // dilation  # of the dilation group
    leader = own // stride * stride + (stride - 1 if causal else stride // 2)
    leader = xp.minimum(leader, last)
    if causal:
        begin, end = xp.clip(leader - window + 1, min=0), own
    else:
        begin = xp.minimum(xp.clip(leader - window // 2, min=0), xp.clip(last - window + 1, min=0))
        end = begin + window - 1
    inside = (begin[:, None] <= own) & (own <= end[:, None])
    return inside & (group[:, None] == group)
