import math

MASK = 0xFFFFFFFF


def swoosh_l(xp, x, seed, *, dropout_prob):
    """Return `log(1 + exp(x - 4)) - 0.08*x - 0.035`, with dropout.

    An element is kept if its random word is at least `dropout_prob * 2**32`.
    """
    x = xp.astype(x, xp.float32) if x.dtype != xp.float64 else x
    y = xp.logaddexp(xp.zeros_like(x), x - 4) - 0.08 * x - 0.035
    if dropout_prob == 0:
        return y
    words = random_words(xp, seed, xp.arange(math.prod(x.shape), dtype=xp.int64))
    keep = xp.reshape(words >= int(dropout_prob * 2**32), x.shape)
    return xp.where(keep, y / (1 - dropout_prob), xp.zeros_like(y))


def random_words(xp, seed, index):
    """Return the random words `index` of `opgen::Philox(seed, 0)` in opgen/philox.h."""
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
