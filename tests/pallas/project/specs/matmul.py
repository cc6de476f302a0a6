def scaled_matmul(xp, x, w, scale, bias, *, negate, sized):
    """x: `*batch k`; w: `k n`; bias: `n` or None. Returns y: `*batch n`, size: `*batch`."""
    wide = xp.float64 if x.dtype == xp.float64 else xp.float32
    y = xp.matmul(xp.astype(x, wide), xp.astype(w, wide))
    y = y if bias is None else y + xp.astype(bias, wide)
    y = y * (-scale if negate else scale)
    size = xp.astype(xp.sum(y * y, axis=-1), xp.float32) if sized else None
    return xp.astype(y, x.dtype), size
