"""Reference of the dropout family."""

import math

from array_api_compat import device

MASK = 0xFFFFFFFF


def dropout(xp, x, seed, offset=None, *, p):
    """Return `x / (1 - p)` if an element's random word is at least `p * 2**32`, else 0.

    Elements are counted in row-major order over the whole of `x`. Element `i` has word `i % 4` of
    Philox 4x32-10 with the 64-bit key `seed` and the 128-bit counter `i // 4 + offset * 2**64`. So
    every offset is a separate stream; a missing offset is 0. Srivastava et al., Dropout, 2014, here
    scaled while training.

    x: `*s`; seed, offset: int64 scalars, offset may be None. Returns y, like x.
    """
    offset = xp.zeros_like(seed) if offset is None else offset
    wide = xp.float64 if x.dtype == xp.float64 else xp.float32
    index = xp.arange(math.prod(x.shape), dtype=xp.int64, device=device(x))
    kept = 1.0 - p if p < 1.0 else 1.0  # of p = 1 nothing is kept
    keep = xp.reshape(random_words(xp, seed, offset, index) >= int(p * 2**32), x.shape)
    xw = xp.astype(x, wide)
    return xp.astype(xp.where(keep, xw / kept, xp.zeros_like(xw)), x.dtype)


def random_words(xp, seed, offset, index):
    """Return word `index % 4` of Philox 4x32-10 with key `seed`, as an int64.

    The counter is `index // 4 + offset * 2**64`. Salmon, Moraes, Dror and Shaw, Parallel Random
    Numbers: As Easy as 1, 2, 3, 2011. Products of 64 bits wrap around, as int64 does in every
    namespace (in JAX with x64 enabled).

    seed, offset: int64 scalars; index: `n`, int64, below 2**63. Returns `n` words.
    """
    seed, offset = xp.astype(seed, xp.int64), xp.astype(offset, xp.int64)
    block = index >> 2
    zero = xp.zeros_like(index)
    c0, c1 = block & MASK, block >> 32 & MASK
    c2, c3 = zero + (offset & MASK), zero + (offset >> 32 & MASK)
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
