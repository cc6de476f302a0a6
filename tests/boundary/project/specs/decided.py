"""References of ops in which attrs and the presence of inputs decide dtypes."""


def weigh(xp, x, w, scale, *, mode):
    y = x * xp.astype(w, x.dtype)
    y = y if scale is None else y * xp.astype(scale, x.dtype)
    bits = 8 if mode == "int8" else 16 if scale is not None else 64 if x.dtype == xp.float64 else 32
    return y, w, xp.ones(bits, dtype=xp.int64)


def weigh_bwd(xp, dy, w, scale, *, mode):
    dx = dy * xp.astype(w, dy.dtype)
    return dx if scale is None else dx * xp.astype(scale, dy.dtype)


def recast(xp, x, scale, *, mode):
    dtype = xp.int8 if mode == "int8" else xp.bfloat16 if scale is not None else x.dtype
    return xp.astype(2 * x, dtype), 2 * x


def recast_bwd(xp, dy, *, Q):
    return dy * {"i8": 8, "bf16": 16, "f32": 32, "f64": 64}[Q]


def numbered(xp, x, indices):
    return xp.arange(x.shape[0], dtype=xp.int64) if indices is None else indices


def biased(xp, x, bias, *, out_dtype):
    y = xp.astype(x, xp.float32)
    return y if bias is None else y + xp.astype(bias, xp.float32)


def cast_as(xp, x, *, out_dtype):
    return x if out_dtype is None else xp.astype(x, {"i8": xp.int8, "f32": xp.float32}[out_dtype])
