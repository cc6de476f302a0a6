"""References of the ops `scaled` and `storable`. The dtype of their weight depends on an option and
on another input.
"""


def factor(xp, scale, dtype):
    return 1 if scale is None else xp.astype(scale, dtype)


def scaled(xp, x, weight, scale, *, mode):
    return x * xp.astype(weight, x.dtype) * factor(xp, scale, x.dtype)


def storable(xp, weight, scale, *, mode):
    weight = weight / factor(xp, scale, weight.dtype)
    if mode == "int8":
        return xp.astype(xp.round(weight), xp.int8)
    return weight if scale is None else xp.astype(weight, xp.float8_e4m3fn)
