"""Reference of the grouped_gemm family."""

from array_api_compat import device


def grouped_gemm(xp, a, b, offsets, *, trans_b):
    """Compute `c[i] = a[i] @ b[j]`, where `j` is the group with `offsets[j] <= i < offsets[j+1]`.

    This reference multiplies every row with every group, which is `g` times the necessary work.

    a: `m k`; b: `g k n`, or `g n k` with `trans_b`; offsets: `g+1`, from 0 to m. Returns c: `m n`,
    in a's dtype.
    """
    wide = xp.float64 if a.dtype == xp.float64 else xp.float32
    row = xp.arange(a.shape[0], dtype=offsets.dtype, device=device(offsets))
    inside = (offsets[:-1, None] <= row) & (row < offsets[1:, None])
    inside = inside[:, :, None]  # g m 1
    aw, bw = xp.astype(a, wide), xp.astype(b, wide)
    rows = xp.where(
        inside, aw, xp.zeros_like(aw)
    )  # zeros for other groups, so that their NaNs do not count
    products = xp.matmul(rows, xp.matrix_transpose(bw) if trans_b else bw)
    kept = xp.where(inside, products, xp.zeros_like(products))
    return xp.astype(xp.sum(kept, axis=0), a.dtype)
