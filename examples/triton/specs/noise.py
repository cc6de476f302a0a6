"""Reference of dropout."""

import math

from array_api_compat import device

MASK = 0xFFFFFFFF


def dropout(xp, x, seed, *, p):
    """Return `x / (1 - p)` if an element's random word is at least `p * 2**32`, else 0.

    Elements are numbered in row-major order over all of `x`. The random word of element `i` is word
    `i % 4` of Philox 4x32-10 with the 64-bit key `seed` and the counter `i // 4`. x: `*s`; seed: an
    int64 scalar. Returns y: `*s`, in x's dtype.
    """
    wide = xp.float64 if x.dtype == xp.float64 else xp.float32
    index = xp.arange(math.prod(x.shape), dtype=xp.int64, device=device(x))
    keep = xp.reshape(random_words(xp, seed, index) >= int(p * 2**32), x.shape)
    xw = xp.astype(x, wide)
    return xp.astype(xp.where(keep, xw / (1.0 - p), xp.zeros_like(xw)), x.dtype)


def random_words(xp, seed, index):
    """Return word `index % 4` of Philox 4x32-10 with key `seed` and counter `index // 4`, as int64.

    See Salmon, Moraes, Dror and Shaw, Parallel Random Numbers: As Easy as 1, 2, 3, 2011. seed: an
    int64 scalar; index: `n`, int64. Returns `n` words.
    """
    seed = xp.astype(seed, xp.int64)
    block, zero = index >> 2, xp.zeros_like(index)
    c0, c1, c2, c3 = block & MASK, block >> 32 & MASK, zero, zero
    k0, k1 = seed & MASK, seed >> 32 & MASK
    for _ in range(10):
        m0, m1 = c0 * 0xD2511F53, c2 * 0xCD9E8D57
        c0, c1, c2, c3 = (
            (m1 >> 32 & MASK) ^ c1 ^ k0,
            m1 & MASK,
            (m0 >> 32 & MASK) ^ c3 ^ k1,
            m0 & MASK,
        )
        k0, k1 = (k0 + 0x9E3779B9) & MASK, (k1 + 0xBB67AE85) & MASK
    word = index & 3
    return xp.where(word < 2, xp.where(word == 0, c0, c1), xp.where(word == 2, c2, c3))
