"""References of the dequantize_4bit family."""

import math

# The values of the sixteen codes. nf4: Dettmers et al., QLoRA, 2023 (rounded). fp4: floats with a
# sign, 2 bits of exponent and 1 bit of mantissa.
CODES = {
    "nf4": (
        -1.0, -0.6962, -0.5251, -0.3949, -0.2844, -0.1848, -0.0911, 0.0,
        0.0796, 0.1609, 0.2461, 0.3379, 0.4407, 0.5626, 0.7230, 1.0,
    ),
    "fp4": (
        0.0, 0.0052, 0.6667, 1.0, 0.3333, 0.5, 0.1667, 0.25,
        -0.0, -0.0052, -0.6667, -1.0, -0.3333, -0.5, -0.1667, -0.25,
    ),
}  # fmt: skip


def quantize_4bit(xp, A, *, blocksize, quant_type):
    """Return the packed 4-bit codes of `A`, and the largest absolute value of each block.

    The first code of a pair is in the upper half of its byte. Ties go to the smaller code.
    """
    wide = xp.float64 if A.dtype == xp.float64 else xp.float32
    count = math.prod(A.shape)
    blocks = -(-count // blocksize)
    flat = xp.reshape(xp.astype(A, wide), (-1,))
    flat = xp.concat([flat, xp.zeros((blocks * blocksize - count,), dtype=wide)])
    rows = xp.reshape(flat, (blocks, blocksize))
    absmax = xp.max(xp.abs(rows), axis=1)
    shares = rows / xp.where(absmax > 0, absmax, xp.ones_like(absmax))[:, None]
    codes = xp.asarray(CODES[quant_type], dtype=wide)
    code = xp.argmin(xp.abs(xp.reshape(shares, (-1, 1)) - codes), axis=1)[: count + count % 2]
    place = xp.arange(code.shape[0])
    code = xp.where(place < count, code, xp.zeros_like(code))
    pairs = xp.reshape(code, (-1, 2))
    packed = xp.astype(pairs[:, :1] * 16 + pairs[:, 1:], xp.uint8)
    return packed, absmax if wide == xp.float64 else xp.astype(absmax, xp.float32)


def dequantize_4bit(xp, A, absmax, *, blocksize, quant_type, shape, T):
    count = math.prod(shape)
    both = xp.astype(xp.reshape(A, (-1,)), xp.int64)
    code = xp.reshape(xp.stack([both // 16, both % 16], axis=1), (-1,))[:count]
    codes = xp.asarray(CODES[quant_type], dtype=absmax.dtype)
    block = xp.arange(count) // blocksize
    y = xp.reshape(xp.take(codes, code) * xp.take(absmax, block), tuple(shape))
    return (
        y
        if T == "f32" or absmax.dtype == xp.float64
        else xp.astype(y, xp.bfloat16 if T == "bf16" else xp.float16)
    )
