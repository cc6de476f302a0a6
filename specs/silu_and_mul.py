"""References of the silu_and_mul family."""


def silu_and_mul(xp, x):
    """Return `a / (1 + exp(-a)) * b`, with `a, b` the halves of the last dim.

    Shazeer, GLU Variants Improve Transformer, 2020: SwiGLU without its matrices. As in PyTorch and
    JAX, the result is NaN if `a` is -inf. The gradient is NaN at both infinities.

    x: `*batch 2*d`. Returns y: `*batch d`, in x's dtype.
    """
    d = x.shape[-1] // 2
    return swiglu(xp, x[..., :d], x[..., d:])


def swiglu(xp, gate, up):
    """Return `gate / (1 + exp(-gate)) * up`. Otherwise it is like `silu_and_mul`.

    gate, up: `*s`. Returns y: `*s`, in gate's dtype.
    """
    wide = xp.float64 if gate.dtype == xp.float64 else xp.float32
    a, b = xp.astype(gate, wide), xp.astype(up, wide)
    # exp(-a) may overflow, which would make the gradient NaN.
    small = xp.exp(xp.where(a < 0, a, -a))
    sigmoid = xp.where(a < 0, small, xp.ones_like(small)) / (1.0 + small)
    return xp.astype(a * sigmoid * b, gate.dtype)
