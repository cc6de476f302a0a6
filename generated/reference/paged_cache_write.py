"""Reference of the paged_cache_write family."""

from array_api_compat import device

F8E4M3_LIMIT = 448.0


def paged_cache_write(xp, k, v, k_cache, v_cache, slots, k_scale=None, v_scale=None, *, order):
    """Write token `j` of `k` and `v` to slot `slots[j]` of a paged cache.

    Slot `s` is row `s % bs` of block `s // bs`. A token with a negative slot is skipped. If two
    tokens have the same slot, the later one remains. With a scale, the written value is `k /
    k_scale`, limited to the range of f8e4m3. Kwon et al., Efficient Memory Management for Large
    Language Model Serving with PagedAttention, 2023.

    k, v: `t h d`; k_cache, v_cache: `nb bs h d` in order `"NHD"`, `nb h bs d` in `"HND"`; slots:
    `t`, integers; k_scale, v_scale: scalars or None. Returns the updated k_cache and v_cache.
    """
    return (
        _written(xp, k, k_cache, slots, k_scale, order),
        _written(xp, v, v_cache, slots, v_scale, order),
    )


def _written(xp, tokens, cache, slots, scale, order):
    wide = xp.float64 if tokens.dtype == xp.float64 else xp.float32
    rows = xp.astype(tokens, wide)
    if scale is not None:
        rows = xp.clip(rows / xp.astype(scale, wide), -F8E4M3_LIMIT, F8E4M3_LIMIT)
    blocks = xp.astype(cache, wide)
    if order == "HND":
        blocks = xp.permute_dims(blocks, (0, 2, 1, 3))
    nb, bs, h, d = blocks.shape

    # Tokens are numbered from 1; 0 means no token. `writer` is the token that each slot keeps.
    where = device(slots)
    nowhere = xp.full((1,), -1, dtype=slots.dtype, device=where)
    targets = xp.concat((nowhere, slots))
    number = xp.arange(targets.shape[0], device=where)
    hit = targets == xp.arange(nb * bs, dtype=slots.dtype, device=where)[:, None]
    writer = xp.max(xp.where(hit, number, xp.zeros_like(number)), axis=1)

    none = xp.zeros((1, h, d), dtype=wide, device=where)
    written = xp.take(xp.concat((none, rows)), writer, axis=0)
    old = xp.reshape(blocks, (nb * bs, h, d))
    new = xp.where((writer > 0)[:, None, None], written, old)
    new = xp.reshape(new, (nb, bs, h, d))
    if order == "HND":
        new = xp.permute_dims(new, (0, 2, 1, 3))
    return xp.astype(new, cache.dtype)
