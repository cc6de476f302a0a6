"""Reference of the relu family."""


def relu(xp, x):
    """`max(x, 0)`, where a NaN and a zero of either sign stay what they are.

    The gradient is 0 at 0 and 1 at NaN, as PyTorch has it; that of `jax.nn.relu` is 0 at
    NaN, and its `relu(-0.0)` is `0.0`.

    x: `*s`. Returns y: `*s`.
    """
    # Of a zero `trunc` keeps the sign; it has no gradient.
    kept = xp.where(x == 0, xp.trunc(x), x)
    return xp.where(x < 0, xp.zeros_like(x), kept)
