"""References of the activation ops."""


def silu_and_mul(xp, x):
    """Return `a / (1 + exp(-a)) * b`, where `a` and `b` are the halves of the last dim of `x`.

    x: `*batch 2*d`. Returns y: `*batch d`.
    """
    d = x.shape[-1] // 2
    wide = xp.float64 if x.dtype == xp.float64 else xp.float32
    a, b = xp.astype(x[..., :d], wide), xp.astype(x[..., d:], wide)
    # exp(-a) may overflow, which would make the gradient NaN.
    small = xp.exp(-xp.abs(a))
    sigmoid = xp.where(a < 0, small, xp.ones_like(small)) / (1.0 + small)
    return xp.astype(a * sigmoid * b, x.dtype)
