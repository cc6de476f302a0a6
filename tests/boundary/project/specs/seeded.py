def seeded(xp, x, shift, seed, stream):
    factor = 1 + (seed + (0 if stream is None else stream)) % 1000
    y = x * xp.astype(factor, x.dtype)
    return (y if shift is None else y + shift), seed
