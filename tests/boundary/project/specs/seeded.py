def seeded(xp, x, shift, seed, stream):
    factor = 1 + (seed + (0 if stream is None else stream)) % 1000
    y = x * xp.astype(factor, x.dtype)
    return (y if shift is None else y + shift), seed


def thinned(xp, x, seed, *, p):
    return x if seed is None else x * xp.astype(1 - seed % 2, x.dtype)
