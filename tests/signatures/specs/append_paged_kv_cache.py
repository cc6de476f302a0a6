"""Reference of the append_paged_kv_cache family."""


def append_paged_kv_cache(
    xp,
    append_key,
    append_value,
    batch_indices,
    positions,
    paged_kv_cache,
    kv_indices,
    kv_indptr,
    kv_last_page_len,
    *,
    kv_layout,
):
    """Write each token `i` to row `positions[i] % page` of a page of its sequence.

    The page is `kv_indices[kv_indptr[batch_indices[i]] + positions[i] // page]`, or the last page
    if this index is too large. If two tokens have the same row, the later one remains. Returns the
    updated cache.
    """
    cache = paged_kv_cache
    if kv_layout == "HND":
        cache = xp.permute_dims(cache, (0, 1, 3, 2, 4))
    pages, _, page, h, d = cache.shape
    tokens, used = append_key.shape[0], kv_indices.shape[0]
    begin = xp.take(kv_indptr, batch_indices)
    at = xp.clip(begin + positions // page, min=0, max=max(used - 1, 0))
    slot = xp.take(kv_indices, at) * page + positions % page
    mine = slot[None, :] == xp.arange(pages * page, dtype=slot.dtype)[:, None]  # slots nnz
    order = xp.arange(1, tokens + 1)
    last = xp.max(xp.where(mine, order, xp.zeros_like(order)), axis=1)  # 0 means no token
    new = xp.stack([append_key, append_value])
    old = xp.reshape(xp.permute_dims(cache, (1, 0, 2, 3, 4)), (2, pages * page, h, d))
    rows = xp.take(new, xp.clip(last - 1, min=0), axis=1)
    made = xp.where((last > 0)[:, None, None], rows, old)
    made = xp.permute_dims(xp.reshape(made, (2, pages, page, h, d)), (1, 0, 2, 3, 4))
    return xp.permute_dims(made, (0, 1, 3, 2, 4)) if kv_layout == "HND" else made
