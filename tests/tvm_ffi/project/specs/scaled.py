def scaled(xp, x, bias, *, by, negate):
    y = xp.astype(x, xp.float32) * (-by if negate else by)
    return xp.astype(y if bias is None else y + bias, x.dtype)
