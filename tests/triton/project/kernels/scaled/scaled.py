"""Rows that are multiplied by a number."""

import triton
import triton.language as tl


@triton.jit
def rows(x, kept, bias, y, d, by, negate, BLOCK: tl.constexpr, BIASED: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    at = tl.arange(0, BLOCK)
    v = tl.load(x + row * d + at, mask=at < d).to(tl.float32)
    v *= tl.where(negate != 0, -by, by)
    if BIASED:
        v += tl.load(bias + at, mask=at < d)
    v = tl.where(tl.load(kept + row), v, 0.0)
    tl.store(y + row * d + at, v, mask=at < d)


@triton.jit
def anyhow(x, kept, y, d, by, negate, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    at = tl.program_id(1).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + row * d + at, mask=at < d).to(tl.float32) * tl.where(negate != 0, -by, by)
    tl.store(y + row * d + at, tl.where(tl.load(kept + row), v, 0.0), mask=at < d)


@triton.jit
def halved(x, y, n, BLOCK: tl.constexpr):
    at = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + at, tl.load(x + at, mask=at < n) / 2, mask=at < n)
