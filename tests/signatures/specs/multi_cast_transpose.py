"""Reference of the multi_cast_transpose family."""

LARGEST = {"f8e4m3": 448.0, "f8e5m2": 57344.0}


def multi_cast_transpose(xp, x, scale, amax, *, F):
    """Cast each tensor of `x` times its scale to fp8, limited to the range of the dtype.

    amax becomes the maximum of its old value and the absolute values of x. Returns cast, cast_t
    (the transposed results), scale_inv, amax. In NumPy the fp8 types are those of ml_dtypes.
    """
    cast, cast_t, inverse, largest = [], [], [], []
    for each, by, most in zip(x, scale, amax):
        wide = xp.float64 if each.dtype == xp.float64 else xp.float32
        exact = xp.astype(each, wide)
        whole = xp.clip(exact * xp.astype(by, wide), min=-LARGEST[F], max=LARGEST[F])
        narrow = _narrow(xp, whole, F)
        cast.append(narrow)
        cast_t.append(narrow.T)
        inverse.append(1 / by)
        seen = xp.max(xp.abs(exact)) if 0 not in each.shape else xp.zeros_like(most)
        largest.append(xp.astype(xp.maximum(xp.astype(seen, most.dtype), most), most.dtype))
    return cast, cast_t, inverse, largest


def _narrow(xp, x, F):
    return xp.astype(x, {"f8e4m3": xp.float8_e4m3fn, "f8e5m2": xp.float8_e5m2}[F])
