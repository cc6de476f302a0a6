"""Root-mean-square normalization and its gradients, as Triton kernels."""

import triton
import triton.language as tl


@triton.jit
def rms_norm(x, weight, y, invvar, d, eps, BLOCK: tl.constexpr):
    """Compute `rms_norm`: each program computes one row. x, y: (rows, d); weight: (d,); invvar:
    (rows,).
    """
    row = tl.program_id(0).to(tl.int64)
    at = tl.arange(0, BLOCK)
    inside = at < d
    v = tl.load(x + row * d + at, mask=inside, other=0.0).to(tl.float32)
    r = 1.0 / tl.sqrt(tl.sum(v * v) / d + eps)
    w = tl.load(weight + at, mask=inside, other=0.0).to(tl.float32)
    tl.store(y + row * d + at, v * r * w, mask=inside)
    tl.store(invvar + row, r)


@triton.jit
def rms_norm_dx(dy, x, weight, invvar, dx, d, BLOCK: tl.constexpr):
    """Compute the gradient for `x`: each program computes one row. dy, x, dx: (rows, d); weight:
    (d,); invvar: (rows,).
    """
    row = tl.program_id(0).to(tl.int64)
    at = tl.arange(0, BLOCK)
    inside = at < d
    v = tl.load(x + row * d + at, mask=inside, other=0.0).to(tl.float32)
    g = tl.load(dy + row * d + at, mask=inside, other=0.0).to(tl.float32)
    g *= tl.load(weight + at, mask=inside, other=0.0).to(tl.float32)
    r = tl.load(invvar + row)
    mean = tl.sum(g * v) / d
    tl.store(dx + row * d + at, r * (g - v * r * r * mean), mask=inside)


@triton.jit
def rms_norm_dweight(dy, x, invvar, dweight, batch, d, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    """Compute the gradient for `weight`: each program computes COLUMNS columns.

    dy, x: (batch, d); invvar: (batch,); dweight: (d,).
    """
    column = tl.program_id(0).to(tl.int64) * COLUMNS + tl.arange(0, COLUMNS)
    total = tl.zeros((ROWS, COLUMNS), tl.float32)
    for first in range(0, batch, ROWS):
        row = first + tl.arange(0, ROWS)
        inside = (row < batch)[:, None] & (column < d)[None, :]
        at = row[:, None] * d + column[None, :]
        g = tl.load(dy + at, mask=inside, other=0.0).to(tl.float32)
        v = tl.load(x + at, mask=inside, other=0.0).to(tl.float32)
        r = tl.load(invvar + row, mask=row < batch, other=0.0)
        total += g * v * r[:, None]
    tl.store(dweight + column, tl.sum(total, 0), mask=column < d)
