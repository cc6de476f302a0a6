"""References of the segment_csr family."""


def _inside(xp, indptr, t, feat):
    """Return a mask of the rows in each segment: `*lead s t`, then a 1 for each dim in `feat`."""
    place = xp.arange(t, dtype=indptr.dtype)
    inside = (indptr[..., :-1, None] <= place) & (place < indptr[..., 1:, None])
    return xp.reshape(inside, (*inside.shape, *(1 for _ in range(feat))))


def _around(indptr):
    return indptr.ndim - 1  # the index of the dim of rows


def segment_csr(xp, src, indptr, *, reduce):
    """Reduce the rows `indptr[i]` to `indptr[i+1]` of each segment. Returns out and arg_out.

    arg_out is the row of each minimum or maximum, else None. An empty segment gives 0, and t in
    arg_out.
    """
    wide = xp.float64 if src.dtype == xp.float64 else xp.float32
    at = _around(indptr)
    t, feat = src.shape[at], src.ndim - at - 1
    inside = _inside(xp, indptr, t, feat)
    rows = xp.expand_dims(xp.astype(src, wide), axis=at)  # *lead 1 t *feat
    count = xp.sum(xp.astype(inside, wide), axis=at + 1)
    arg = None
    if reduce in ("sum", "mean"):
        out = xp.sum(xp.where(inside, rows, xp.zeros_like(rows)), axis=at + 1)
        out = out / xp.clip(count, min=1.0) if reduce == "mean" else out
    else:
        sign = 1.0 if reduce == "max" else -1.0
        marked = xp.where(inside, sign * rows, xp.full_like(rows, -1e30))
        first = xp.argmax(marked, axis=at + 1)
        place = xp.reshape(xp.arange(t), (t, *(1 for _ in range(feat))))
        hot = (xp.expand_dims(first, axis=at + 1) == place) & inside
        out = xp.sum(xp.where(hot, rows, xp.zeros_like(rows)), axis=at + 1)
        arg = xp.where(
            count > 0, xp.astype(first, xp.int64), xp.full_like(xp.astype(first, xp.int64), t)
        )
    return xp.astype(out, src.dtype), arg


def gather_csr(xp, src, indptr, *, out_size):
    at = _around(indptr)
    inside = _inside(xp, indptr, out_size, src.ndim - at - 1)
    rows = xp.expand_dims(src, axis=at + 1)  # *lead s 1 *feat
    return xp.sum(xp.where(inside, rows, xp.zeros_like(rows)), axis=at, dtype=src.dtype)


def segment_csr_bwd(xp, dout, indptr, arg_out=None, *, t, reduce):
    at = _around(indptr)
    feat = dout.ndim - at - 1
    inside = _inside(xp, indptr, t, feat)
    rows = xp.expand_dims(dout, axis=at + 1)
    if arg_out is None:
        count = xp.astype(
            xp.clip(xp.sum(xp.astype(inside, xp.int64), axis=at + 1), min=1), dout.dtype
        )
        rows = rows / xp.expand_dims(count, axis=at + 1)
    else:
        place = xp.reshape(xp.arange(t, dtype=arg_out.dtype), (t, *(1 for _ in range(feat))))
        inside = inside & (xp.expand_dims(arg_out, axis=at + 1) == place)
    return xp.sum(xp.where(inside, rows, xp.zeros_like(rows)), axis=at, dtype=dout.dtype)
