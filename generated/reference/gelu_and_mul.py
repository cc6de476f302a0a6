"""References of the gelu_and_mul family."""

import math


def gelu_and_mul(xp, x, *, approximate):
    """Return `gelu(a) * b`, with `a, b` the halves of the last dim; see `geglu`.

    x: `*batch 2*d`. Returns y: `*batch d`, in x's dtype.
    """
    d = x.shape[-1] // 2
    return geglu(xp, x[..., :d], x[..., d:], approximate=approximate)


def geglu(xp, gate, up, *, approximate):
    """Return `gelu(gate) * up`.

    `gelu(a)` is `a` times the probability that a normal number is less than `a`. With `approximate
    = "tanh"` the probability is `(1 + tanh(v)) / 2`, the sigmoid of `2*v`, where `v` is `sqrt(2/pi)
    * (a + 0.044715*a**3)`. Hendrycks and Gimpel, Gaussian Error Linear Units, 2016; Shazeer, GLU
    Variants Improve Transformer, 2020: GEGLU without its matrices. As in PyTorch and JAX, the
    result is NaN if `a` is -inf. The gradient is NaN at both infinities.

    gate, up: `*s`. Returns y: `*s`, in gate's dtype.
    """
    wide = xp.float64 if gate.dtype == xp.float64 else xp.float32
    a, b = xp.astype(gate, wide), xp.astype(up, wide)
    if approximate == "none":
        share = xp.erfc(a * -math.sqrt(0.5)) / 2
    else:
        v = 2 * math.sqrt(2 / math.pi) * (a + 0.044715 * a * a * a)
        # exp(-v) may overflow, which would make the gradient NaN.
        small = xp.exp(xp.where(v < 0, v, -v))
        share = xp.where(v < 0, small, xp.ones_like(small)) / (1.0 + small)
    return xp.astype(a * share * b, gate.dtype)
