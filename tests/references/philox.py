"""Philox 4x32-10 on Python integers, after Salmon et al., 2011, section 3.3."""

from __future__ import annotations

import numpy as np

LOW = 2**32 - 1


def block(counter: list[int], key: list[int]) -> list[int]:
    """Return four random words for a counter of four words and a key of two words."""
    c, k = list(counter), list(key)
    for _ in range(10):
        high0, low0 = divmod(0xD2511F53 * c[0], 2**32)
        high1, low1 = divmod(0xCD9E8D57 * c[2], 2**32)
        c = [high1 ^ c[1] ^ k[0], low1, high0 ^ c[3] ^ k[1], low0]
        k = [(k[0] + 0x9E3779B9) & LOW, (k[1] + 0xBB67AE85) & LOW]
    return c


def word(seed: int, offset: int, index: int) -> int:
    """Return word `index % 4` for the counter `index // 4 + offset * 2**64` and the key `seed`."""
    wide = (index // 4) % 2**64 + (offset % 2**64) * 2**64
    counter = [wide >> shift & LOW for shift in (0, 32, 64, 96)]
    key = [seed & LOW, seed >> 32 & LOW]
    return block(counter, key)[index % 4]


def keep(seed: int, offset: int, shape: tuple[int, ...], p: float) -> np.ndarray:
    """Return a mask of the elements that dropout keeps in an array of this shape."""
    words = [word(seed, offset, i) for i in range(int(np.prod(shape)))]
    return np.array(words, "int64").reshape(shape) >= p * 2**32
