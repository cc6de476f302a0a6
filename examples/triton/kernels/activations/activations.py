"""The gated activation `silu_and_mul`, as a Triton kernel."""

import triton
import triton.language as tl


@triton.jit
def silu_and_mul(x, y, d, BLOCK: tl.constexpr):
    """Compute `silu_and_mul`: each program computes BLOCK columns of a row. x: (rows, 2 * d); y:
    (rows, d).
    """
    row = tl.program_id(0).to(tl.int64)
    at = tl.program_id(1).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    inside = at < d
    a = tl.load(x + row * 2 * d + at, mask=inside).to(tl.float32)
    b = tl.load(x + row * 2 * d + d + at, mask=inside).to(tl.float32)
    tl.store(y + row * d + at, a / (1.0 + tl.exp(-a)) * b, mask=inside)
