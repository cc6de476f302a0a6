"""Reference of the quantize_fp8 family."""

# The name of each fp8 type in the frameworks, and its largest finite value.
FP8 = {"f8e4m3": ("float8_e4m3fn", 448.0), "f8e5m2": ("float8_e5m2", 57344.0)}


def quantize_fp8(xp, x, *, block, out_dtype, column_major, floor):
    """Return `x / scale` in fp8, with one scale for every `block` columns of a row.

    `scale` is `max(abs(x), floor) / limit`, where `limit` is the largest finite value of
    `out_dtype`. So nothing overflows. Values are rounded to nearest, ties to even. The formats are
    from Micikevicius et al., FP8 Formats for Deep Learning, 2022. `column_major` affects only
    memory, and changes no value.

    x: `m kb*block`; out_dtype: `"f8e4m3"` or `"f8e5m2"`. Returns q: `m kb*block`, in `out_dtype`;
    scale: `m kb`, in f32 (f64 for f64 x).
    """
    wide = xp.float64 if x.dtype == xp.float64 else xp.float32
    name, limit = FP8[out_dtype]
    m, columns = x.shape
    blocks = xp.reshape(xp.astype(x, wide), (m, columns // block, block))
    scale = xp.clip(xp.max(xp.abs(blocks), axis=-1), min=floor) / limit
    q = xp.clip(blocks / scale[..., None], -limit, limit)
    return xp.astype(xp.reshape(q, (m, columns)), _dtype(xp, name)), scale


def _dtype(xp, name):
    """Return the element type of this name. For NumPy, it may be a type of ml_dtypes."""
    if hasattr(xp, name):
        return getattr(xp, name)
    import ml_dtypes

    return getattr(ml_dtypes, name)
