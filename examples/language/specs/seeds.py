import math

PRIME = 46337  # its square fits 31 bits


def masked(xp, x, seed, *, p):
    """Element `i` goes by a number that `seed` and `i` give: good enough for an example."""
    word = xp.arange(math.prod(x.shape), dtype=xp.int32) % PRIME
    for turn in range(4):
        word = word + xp.astype((seed >> (15 * turn)) % PRIME, xp.int32)
        word = (word * word + 1) % PRIME
    keep = xp.reshape(word >= int(p * PRIME), x.shape)
    scaled = xp.astype(xp.astype(x, xp.float32) / (1 - p), x.dtype)
    return xp.where(keep, scaled, xp.zeros_like(x))
