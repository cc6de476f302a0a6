"""Reference of the flash_attn_with_kvcache family."""


def flash_attn_with_kvcache(
    xp,
    q,
    k_cache,
    v_cache,
    k=None,
    v=None,
    rotary_cos=None,
    rotary_sin=None,
    cache_seqlens=None,
    cache_batch_idx=None,
    cache_leftpad=None,
    block_table=None,
    alibi_slopes=None,
    *,
    softmax_scale,
    causal,
    window_size,
    softcap,
    rotary_interleaved,
    num_splits,
    return_softmax_lse,
):
    """Append `k` and `v` to the caches, and return the attention of `q` to the cached keys.

    Dao et al., FlashAttention-2, 2023. Positions beyond a cache are written to its last position. A
    query that sees no key gives 0. Returns out, softmax_lse, k_cache, v_cache.
    """
    wide = xp.float64 if q.dtype == xp.float64 else xp.float32
    b, sq, heads, d = q.shape
    hk = k_cache.shape[2]
    if block_table is not None:
        nb, bs = k_cache.shape[:2]
        slots = block_table[:, :, None] * bs + xp.arange(bs, dtype=block_table.dtype)
        slots = xp.reshape(slots, (b, -1))
    else:
        which = xp.arange(b, dtype=xp.int32) if cache_batch_idx is None else cache_batch_idx
        slots = which[:, None] * k_cache.shape[1] + xp.arange(k_cache.shape[1], dtype=which.dtype)
    keys = slots.shape[1]
    length = xp.full((b,), keys, dtype=xp.int32) if cache_seqlens is None else cache_seqlens
    made = [xp.reshape(c, (-1, hk, d)) for c in (k_cache, v_cache)]
    qw = xp.astype(q, wide)
    if k is not None:
        snew = k.shape[1]
        place = length[:, None] + xp.arange(snew, dtype=length.dtype)  # b snew
        kw = xp.astype(k, wide)
        if rotary_cos is not None:
            turn = (rotary_cos, rotary_sin, rotary_interleaved)
            kw = _turned(xp, kw, place, *turn)
            local = causal or window_size[0] >= 0 or window_size[1] >= 0
            step = xp.arange(sq, dtype=length.dtype) * (1 if local else 0)
            qw = _turned(xp, qw, length[:, None] + step, *turn)
        row = xp.take_along_axis(slots, xp.clip(xp.astype(place, xp.int64), max=keys - 1), axis=1)
        row = xp.reshape(row, (-1,))
        mine = row == xp.arange(made[0].shape[0], dtype=row.dtype)[:, None]
        order = xp.arange(1, row.shape[0] + 1)
        last = xp.max(xp.where(mine, order, xp.zeros_like(order)), axis=1)
        for i, new in enumerate((xp.astype(kw, k.dtype), v)):
            rows = xp.take(xp.reshape(new, (-1, hk, d)), xp.clip(last - 1, min=0), axis=0)
            made[i] = xp.where((last > 0)[:, None, None], rows, made[i])
        length = xp.clip(length + snew, max=keys)
    caches = [xp.reshape(m, c.shape) for m, c in zip(made, (k_cache, v_cache))]
    kw, vw = (
        xp.permute_dims(
            xp.reshape(
                xp.take(xp.astype(m, wide), xp.reshape(slots, (-1,)), axis=0), (b, keys, hk, d)
            ),
            (0, 2, 1, 3),
        )
        for m in made
    )
    qw = xp.permute_dims(xp.reshape(qw, (b, sq, hk, heads // hk, d)), (0, 2, 3, 1, 4))
    scores = softmax_scale * xp.matmul(qw, xp.matrix_transpose(kw)[:, :, None])  # b hk g sq t
    if softcap > 0:
        scores = softcap * xp.tanh(scores / softcap)
    j = xp.arange(keys, dtype=length.dtype)
    place = xp.arange(sq, dtype=length.dtype) + (length - sq)[:, None]  # b sq
    apart = j - place[:, :, None]  # b sq t
    seen = j < length[:, None, None]
    if cache_leftpad is not None:
        seen = seen & (j >= cache_leftpad[:, None, None])
    if causal:
        seen = seen & (apart <= 0)
    if window_size[0] >= 0:
        seen = seen & (apart >= -window_size[0])
    if window_size[1] >= 0:
        seen = seen & (apart <= window_size[1])
    seen = xp.broadcast_to(seen, (b, sq, keys))[:, None, None]
    if alibi_slopes is not None:
        slopes = xp.astype(alibi_slopes, wide)
        slopes = slopes[None] if slopes.ndim == 1 else slopes
        slopes = xp.reshape(slopes, (-1, hk, heads // hk, 1, 1))
        scores = scores - slopes * xp.astype(xp.abs(apart), wide)[:, None, None]
    scores = xp.where(seen, scores, xp.full_like(scores, -1e30))
    most = xp.max(scores, axis=-1, keepdims=True)
    shares = xp.where(seen, xp.exp(scores - most), xp.zeros_like(scores))
    total = xp.sum(shares, axis=-1, keepdims=True)
    some = total > 0
    safe = xp.where(some, total, xp.ones_like(total))
    out = xp.matmul(shares / safe, vw[:, :, None])
    out = xp.reshape(xp.permute_dims(out, (0, 3, 1, 2, 4)), (b, sq, heads, d))
    lse = None
    if return_softmax_lse:
        lse = xp.where(some, most + xp.log(safe), xp.full_like(most, -float("inf")))
        lse = xp.reshape(lse, (b, heads, sq))
        lse = lse if wide == xp.float64 else xp.astype(lse, xp.float32)
    return (xp.astype(out, q.dtype), lse, *caches)


def _turned(xp, x, place, cos, sin, interleaved):
    """Return heads `b s h d` with the first `2*half` elements rotated by the angles at `place`."""
    half, rows = cos.shape[1], cos.shape[0]
    at = xp.reshape(xp.clip(place, min=0, max=rows - 1), (-1,))
    c, s = (xp.reshape(xp.take(m, at, axis=0), (*place.shape, 1, half)) for m in (cos, sin))
    c, s = xp.astype(c, x.dtype), xp.astype(s, x.dtype)
    part, rest = x[..., : 2 * half], x[..., 2 * half :]
    if interleaved:
        one, two = part[..., ::2], part[..., 1::2]
        both = xp.stack([one * c - two * s, one * s + two * c], axis=-1)
        part = xp.reshape(both, part.shape)
    else:
        one, two = part[..., :half], part[..., half:]
        part = xp.concat([one * c - two * s, one * s + two * c], axis=-1)
    return xp.concat([part, rest], axis=-1)
