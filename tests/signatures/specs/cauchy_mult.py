"""Reference of the cauchy_mult family."""


def cauchy_mult(xp, v, z, w, *, symmetric):
    """Return the sums of `v / (z - w)` over `n`, and the smallest distance of `z` and `w`.

    If `symmetric`, add the sums with the conjugates of `v` and `w`. Gu, Goel and Ré, Efficiently
    Modeling Long Sequences with Structured State Spaces, 2022.
    """
    apart = z - w[..., None]  # *batch n l
    y = xp.sum(v[..., None] / apart, axis=-2)
    if symmetric:
        y = y + xp.sum(xp.conj(v)[..., None] / (z - xp.conj(w)[..., None]), axis=-2)
    return y, xp.min(xp.min(xp.abs(apart), axis=-1), axis=-1)
