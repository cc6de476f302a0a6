import math

MASK = 0xFFFFFFFF


def masked(xp, x, seed, *, p):
    """Set element `i` to 0 if its random word is less than `p * 2**32`, else divide it by `1 - p`."""
    words = random_words(xp, seed, xp.arange(math.prod(x.shape), dtype=xp.int64))
    keep = xp.reshape(words >= int(p * 2**32), x.shape)
    scaled = xp.astype(xp.astype(x, xp.float32) / (1 - p), x.dtype)
    return xp.where(keep, scaled, xp.zeros_like(x))


def random_words(xp, seed, index):
    """Return the random word of each position in `index`, like `opgen::Philox(seed, 0)` in
    opgen/philox.h.

    The word of position `i` is word `i % 4` of Philox 4x32-10 with the counter `i // 4`. Products
    wrap around in int64.
    """
    block = index >> 2
    c0, c1 = block & MASK, block >> 32 & MASK
    c2 = c3 = xp.zeros_like(index)
    k0, k1 = seed & MASK, seed >> 32 & MASK
    for _ in range(10):
        m0, m1 = c0 * 0xD2511F53, c2 * 0xCD9E8D57
        c0, c2 = (m1 >> 32 & MASK) ^ c1 ^ k0, (m0 >> 32 & MASK) ^ c3 ^ k1
        c1, c3 = m1 & MASK, m0 & MASK
        k0, k1 = (k0 + 0x9E3779B9) & MASK, (k1 + 0xBB67AE85) & MASK
    word = index & 3
    return xp.where(word < 2, xp.where(word == 0, c0, c1), xp.where(word == 2, c2, c3))
