"""Cross-entropy, as a Triton kernel."""

import triton
import triton.language as tl


@triton.jit
def cross_entropy(
    logits,
    labels,
    loss,
    c,
    ignore_index,
    label_smoothing,
    BLOCK: tl.constexpr,
    SMOOTH: tl.constexpr,
):
    """Compute the cross-entropy: each program computes one row. logits: (rows, c); labels, loss:
    (rows,).
    """
    row = tl.program_id(0).to(tl.int64)
    at = tl.arange(0, BLOCK)
    inside = at < c
    z = tl.load(logits + row * c + at, mask=inside, other=float("-inf")).to(tl.float32)
    z -= tl.max(z, 0)
    label = tl.load(labels + row).to(tl.int64)
    total = tl.log(tl.sum(tl.exp(z), 0))
    total -= (1.0 - label_smoothing) * tl.sum(tl.where(at == label, z, 0.0), 0)
    if SMOOTH:
        total -= label_smoothing * tl.sum(tl.where(inside, z, 0.0), 0) / c
    tl.store(loss + row, tl.where(label == ignore_index, 0.0, total))
