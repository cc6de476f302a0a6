"""Reference of the silu_and_mul family."""


def silu_and_mul(xp, x):
    """`a / (1 + exp(-a)) * b`, with `a, b` the halves of the last dim.

    Shazeer, GLU Variants Improve Transformer, 2020: SwiGLU without its matrices.

    x: `*batch 2*d`. Returns y: `*batch d`, in x's dtype.
    """
    wide = xp.float64 if x.dtype == xp.float64 else xp.float32
    d = x.shape[-1] // 2
    a = xp.astype(x[..., :d], wide)
    b = xp.astype(x[..., d:], wide)
    # Where exp(-a) overflows the gradient is NaN; below -80 silu is 0 to any accuracy.
    silu = a / (1.0 + xp.exp(-xp.clip(a, min=-80.0)))
    return xp.astype(silu * b, x.dtype)
