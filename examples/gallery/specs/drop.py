import math

PRIME = 46337  # the square of a smaller number fits 31 bits


def drop(xp, x, seed):
    """Set random elements to 0. The seed has 62 bits, and the function uses 15 bits at a time."""
    word = xp.arange(math.prod(x.shape), dtype=xp.int32) % PRIME
    for turn in range(5):
        word = (word + xp.astype((seed >> (15 * turn)) % PRIME, xp.int32)) % PRIME
        word = (word * word + 1) % PRIME
    return x * xp.astype(xp.reshape(word % 2 * 2, x.shape), x.dtype)
