"""Dropout, as a Triton kernel. The mask depends on the position of each element."""

import triton
import triton.language as tl


@triton.jit
def dropout(x, seed, y, n, p, BLOCK: tl.constexpr):
    """Compute dropout: each program computes BLOCK elements. x, y: (n,); seed: a scalar.

    `p` is an f32, which has only 24 bits. So if a random word is very close to `p * 2**32`, the
    result may differ from that of the reference.
    """
    at = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    block, zero = at >> 2, tl.zeros((BLOCK,), tl.uint32)
    low, high = block.to(tl.uint32), (block >> 32).to(tl.uint32)
    c0, c1, c2, c3 = tl.philox(tl.load(seed), low, high, zero, zero)
    word = tl.where(at % 4 < 2, tl.where(at % 4 == 0, c0, c1), tl.where(at % 4 == 2, c2, c3))
    least = (tl.zeros((BLOCK,), tl.float32) + p) * 4294967296.0
    keep = word.to(tl.int64) >= least.to(tl.int64)
    v = tl.load(x + at, mask=inside).to(tl.float32)
    tl.store(y + at, tl.where(keep, v / (1.0 - p), 0.0), mask=inside)
