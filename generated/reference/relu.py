"""Reference of the relu family."""


def relu(xp, x):
    """Return `max(x, 0)`. A NaN stays a NaN, and a zero keeps its sign.

    The gradient is 0 at 0 and 1 at NaN, as in PyTorch. The gradient of `jax.nn.relu` is 0 at NaN,
    and its `relu(-0.0)` is `0.0`.

    x: `*s`. Returns y: `*s`.
    """
    # `trunc` keeps the sign of a zero, and has no gradient.
    kept = xp.where(x == 0, xp.trunc(x), x)
    return xp.where(x < 0, xp.zeros_like(x), kept)
