"""References with fp8 results equal a search among all fp8 numbers."""

from __future__ import annotations

import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest
import torch.nn.functional as F
from array_api_compat import numpy as numpy_namespace
from array_api_compat import torch as torch_namespace

from opgen.testing import arrays as bitwise

from .calls import FP8, call, convert, normal, reference, same, to_numpy, to_torch


def nearest(values: np.ndarray, dtype: str) -> np.ndarray:
    """Return `values` rounded to an fp8 type by a search among its finite numbers, as float32."""
    codes = np.arange(128, dtype="uint8")
    numbers = codes.view(FP8[dtype]).astype("float64")
    numbers, codes = numbers[np.isfinite(numbers)], codes[np.isfinite(numbers)]
    error = np.abs(np.abs(values)[..., None] - numbers)
    tied = error == error.min(-1, keepdims=True)
    best = np.argmax(np.where(tied, 2 - codes % 2, 0), -1)  # even codes first, for ties to even
    return (np.sign(values) * numbers[best]).astype("float32")


@pytest.mark.parametrize("dtype", ["f8e4m3", "f8e5m2"])
@pytest.mark.parametrize("m, kb", [(3, 2), (0, 1), (1, 0), (5, 1)])
def test_quantize_fp8(dtype, m, kb) -> None:
    x = normal(m, kb * 64) * np.exp(4 * normal(m, kb * 64))
    x[: m // 2, :64] = 0.0
    attrs = {"block": 64, "out_dtype": dtype, "column_major": True, "floor": 1e-10}
    limit = float(ml_dtypes.finfo(FP8[dtype]).max)
    scale = np.ones((m, kb))
    for i, j in np.ndindex(m, kb):
        scale[i, j] = max(np.abs(x[i, 64 * j : 64 * (j + 1)]).max(), 1e-10) / limit
    q = nearest(x / np.repeat(scale, 64, 1), dtype)
    same(call(reference("quantize_fp8"), x, **attrs), (q, scale))


@pytest.mark.parametrize("dtype", ["f8e4m3", "f8e5m2"])
def test_quantize_fp8_resolves_ties_to_even(dtype) -> None:
    limit = float(ml_dtypes.finfo(FP8[dtype]).max)
    numbers = np.arange(112, dtype="uint8").view(FP8[dtype]).astype("float64")
    ties = np.concatenate([[limit], (numbers[1:] + numbers[:-1]) / 2, np.zeros(16)])
    attrs = {"block": 128, "out_dtype": dtype, "column_major": False, "floor": 0.0}
    q, scale = call(reference("quantize_fp8"), ties[None], **attrs)
    same(scale, np.ones((1, 1)))
    same(q, nearest(ties[None], dtype))


@pytest.mark.parametrize("batch", [(3,), (), (0,), (2, 1)])
def test_fused_add_rms_norm(batch) -> None:
    fused = reference("fused_add_rms_norm")
    x, residual, weight = normal(*batch, 8), normal(*batch, 8), normal(8)
    y = F.rms_norm(to_torch(x + residual), (8,), to_torch(weight), 1e-6)
    same(call(fused, x, residual, weight, eps=1e-6), (y, x + residual))

    fused = reference("fused_add_rms_norm", "fused_add_rms_norm_quant")
    scale, y = np.array(0.005), to_numpy(y)
    attrs = {"eps": 1e-6, "out_dtype": "f8e4m3"}
    given = (x, residual, weight, scale, None)
    wanted = (nearest(y / scale, "f8e4m3"), np.empty((*x.shape[:-1], 0)), x + residual)
    same(call(fused, *given, dynamic=False, **attrs), wanted)
    for bound in (None, np.array(0.004)):
        largest = np.abs(y).max(-1, keepdims=True) / 448.0
        scale = np.minimum(largest, np.inf if bound is None else bound)
        wanted = (nearest(y / scale, "f8e4m3"), scale, x + residual)
        given = (x, residual, weight, None, bound)
        same(call(fused, *given, dynamic=True, **attrs), wanted)


def test_paged_cache_write_of_fp8() -> None:
    k = (normal(4, 2, 3) * 500).astype("float32")
    cache = np.zeros((2, 2, 2, 3), FP8["f8e4m3"])
    slots, scale = np.arange(4, dtype="int32"), np.array(2.0, "float32")
    wanted = nearest(np.clip(k / 2.0, -448, 448), "f8e4m3").reshape(cache.shape)
    for namespace, to in (
        (numpy_namespace, np.asarray),
        (torch_namespace, bitwise.to_torch),
        (jnp, jnp.asarray),
    ):
        given = convert(to, [k, k, cache, cache, slots, scale, scale])
        for result in reference("paged_cache_write")(namespace, *given, order="NHD"):
            assert result.dtype == given[2].dtype
            same(result, wanted)
