"""References of the fused_add_rms_norm family."""

# The name of each fp8 type in the frameworks, and its largest finite value.
FP8 = {"f8e4m3": ("float8_e4m3fn", 448.0), "f8e5m2": ("float8_e5m2", 57344.0)}


def fused_add_rms_norm(xp, x, residual, weight, *, eps):
    """Compute `r = residual + x`, then `y = r / sqrt(mean(r**2) + eps) * weight`.

    `y` is computed from the rounded `r`. Zhang and Sennrich, Root Mean Square Layer Normalization,
    2019, equation 4.

    x, residual: `*batch d`; weight: `d`. Returns y: `*batch d`, in x's dtype; and the updated
    residual.
    """
    y, residual = _normalized_sum(xp, x, residual, weight, eps)
    return xp.astype(y, x.dtype), residual


def fused_add_rms_norm_quant(
    xp, x, residual, weight, scale=None, scale_ub=None, *, eps, dynamic, out_dtype
):
    """Compute `fused_add_rms_norm`, with `y / scale` rounded to fp8.

    `y / scale` is rounded to nearest, ties to even. Values beyond the range become its limit. With
    `dynamic` every row has a separate scale, `max(abs(y)) / limit`, but at most `scale_ub` and at
    least `1 / (512 * limit)`.

    x, residual: `*batch d`; weight: `d`; scale, scale_ub: scalars or None; out_dtype: `"f8e4m3"` or
    `"f8e5m2"`. Returns y: `*batch d`, in `out_dtype`; y_scale: `*batch 1` with `dynamic`, else
    `*batch 0`, in f32 (f64 for f64 x); and the updated residual.
    """
    name, limit = FP8[out_dtype]
    y, residual = _normalized_sum(xp, x, residual, weight, eps)
    if dynamic:
        largest = xp.max if x.shape[-1] else xp.sum  # 0 if there are no elements
        scale = largest(xp.abs(y), axis=-1, keepdims=True) / limit
        if scale_ub is not None:
            scale = xp.minimum(scale, xp.astype(scale_ub, y.dtype))
        scale = xp.clip(scale, min=1.0 / (512.0 * limit))
    q = xp.astype(xp.clip(y / scale, -limit, limit), _dtype(xp, name))
    if not dynamic:
        scale = xp.zeros((*x.shape[:-1], 0), dtype=y.dtype)
    return q, scale, residual


def _normalized_sum(xp, x, residual, weight, eps):
    """Return `y` before it is rounded, and the updated residual."""
    wide = xp.float64 if x.dtype == xp.float64 else xp.float32
    total = xp.astype(residual, wide) + xp.astype(x, wide)
    residual = xp.astype(total, residual.dtype)
    r = xp.astype(residual, wide)
    mean = xp.mean(r * r, axis=-1, keepdims=True)
    return r / xp.sqrt(mean + eps) * xp.astype(weight, wide), residual


def _dtype(xp, name):
    """Return the element type of this name. For NumPy, it may be a type of ml_dtypes."""
    if hasattr(xp, name):
        return getattr(xp, name)
    import ml_dtypes

    return getattr(ml_dtypes, name)
