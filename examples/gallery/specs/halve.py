def halve(xp, x, *, wide):
    return xp.astype(xp.astype(x, xp.float32) / 2, xp.float32 if wide else x.dtype)
