"""Reference of the embedding_bag family."""

from array_api_compat import device


def embedding_bag(xp, weight, indices, offsets, sample_weights=None, *, mode):
    """Sum, average or maximize the rows `weight[indices[offsets[b]:offsets[b+1]]]` of every bag
    `b`.

    `mode` is `"sum"` (each row times its sample weight, if given), `"mean"` or `"max"` (for each
    column). An empty bag gives 0. The gradient of a maximum goes to the first row with this value.

    weight: `rows d`; indices: `n`; offsets: `b+1`, from 0 to n; sample_weights: `n` or None.
    Returns y: `b d`, in weight's dtype. For `"max"` it also returns argmax: `b d`, in the dtype of
    indices. This is the row of `weight` that contains each maximum, or -1 in an empty bag. In the
    other modes argmax is None.
    """
    wide = xp.float64 if weight.dtype == xp.float64 else xp.float32
    n = indices.shape[0]
    rows = xp.astype(xp.take(weight, indices, axis=0), wide)
    place = xp.arange(n, dtype=offsets.dtype, device=device(offsets))
    begin, end = offsets[:-1, None], offsets[1:, None]
    inside = (begin <= place) & (place < end)  # b n
    if mode == "max":
        y, argmax = _maximum(xp, rows, indices, inside)
        return xp.astype(y, weight.dtype), argmax
    if sample_weights is not None:
        rows = rows * xp.astype(sample_weights, wide)[:, None]
    y = _sum_where(xp, inside, rows)
    if mode == "mean":
        y = y / xp.astype(xp.clip(end - begin, min=1), wide)
    return xp.astype(y, weight.dtype), None


def _sum_where(xp, mask, rows):
    """Return the sums of the `rows` that `mask` selects. A NaN in another row does not count.

    mask: `m n`; rows: `n d`. Returns `m d`.
    """
    zero = xp.zeros((), dtype=rows.dtype, device=device(rows))
    return xp.sum(xp.where(mask[:, :, None], rows, zero), axis=1)


def _maximum(xp, rows, indices, inside):
    """Return the maximum of every bag for each column, and the index of its row.

    rows: `n d`; indices: `n`; inside: `b n`. Each empty bag gets a row of zeros with index -1.
    """
    where = device(rows)
    zeros = xp.zeros((1, rows.shape[1]), dtype=rows.dtype, device=where)
    rows = xp.concat((rows, zeros))
    nobody = xp.full((1,), -1, dtype=indices.dtype, device=where)
    indices = xp.concat((indices, nobody))
    inside = xp.concat((inside, ~xp.any(inside, axis=1, keepdims=True)), axis=1)
    inside = inside[:, :, None]
    lowest = xp.full_like(rows, -float("inf"))
    best = xp.max(xp.where(inside, rows, lowest), axis=1, keepdims=True)
    best = inside & ((rows == best) | ((rows != rows) & (best != best)))
    first = xp.argmax(xp.astype(best, indices.dtype), axis=1)  # b d
    argmax = xp.reshape(xp.take(indices, xp.reshape(first, (-1,))), first.shape)
    return xp.take_along_axis(rows, first, axis=0), argmax


def embedding_bag_bwd(
    xp, dy, indices, offsets, sample_weights=None, argmax=None, weight=None, *, rows, mode
):
    """Return the gradients of `embedding_bag` for every row of `weight` and every sample weight.

    dy: `b d`; indices: `n`; offsets: `b+1`; sample_weights: `n` or None; argmax: `b d` if `mode` is
    `"max"`; weight: `rows d`, or None. Returns dweight: `rows d`, in dy's dtype; dsample_weights:
    `n`, None without `weight`.
    """
    wide = xp.float64 if dy.dtype == xp.float64 else xp.float32
    dyw, where = xp.astype(dy, wide), device(dy)
    place = xp.arange(indices.shape[0], dtype=offsets.dtype, device=where)[:, None]
    begin, end = offsets[:-1], offsets[1:]
    inside = (begin <= place) & (place < end)  # n b
    drows, dsample_weights = _sum_where(xp, inside, dyw), None  # n d
    if weight is not None:
        taken = xp.astype(xp.take(weight, indices, axis=0), wide)
        dsample_weights = xp.astype(xp.sum(drows * taken, axis=1), dy.dtype)
    if mode == "max":
        found = inside[:, :, None] & (indices[:, None, None] == argmax)  # n b d
        held = xp.any(found, axis=0)  # argmax is a row of the bag
        every = xp.arange(rows, dtype=argmax.dtype, device=where)[:, None, None]
        given = xp.where((every == argmax) & held, dyw, xp.zeros_like(dyw))
        dweight = xp.sum(given, axis=1)
        return xp.astype(dweight, dy.dtype), dsample_weights
    if mode == "mean":
        count = xp.astype(xp.clip(end - begin, min=1), wide)
        drows = _sum_where(xp, inside, dyw / count[:, None])
    if sample_weights is not None:
        drows = drows * xp.astype(sample_weights, wide)[:, None]
    every = xp.arange(rows, dtype=indices.dtype, device=where)[:, None]
    dweight = _sum_where(xp, every == indices, drows)
    return xp.astype(dweight, dy.dtype), dsample_weights
