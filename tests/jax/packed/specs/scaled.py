"""Reference of `scaled`."""


def scaled(xp, x, weight, *, factor, shift, mode, negated, kind):
    y = x * weight * factor + (shift if mode == "plus" else -shift)
    y = -y if negated else y
    return y.astype(x.dtype), xp.sum(y, axis=-1)
