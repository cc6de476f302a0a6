"""4-bit dtypes are packed, and sizes count their values; PyTorch refuses such dtypes.

f8e8m0 works in both frameworks.
"""

from __future__ import annotations

import re

import ml_dtypes
import numpy as np
import pytest

pytestmark = pytest.mark.slow

HALF = {"f4e2m1": ml_dtypes.float4_e2m1fn, "i4": ml_dtypes.int4, "u4": ml_dtypes.uint4}
CODES = np.uint8([3, 15, 0, 8, 1, 10, 7])


def of_bits(codes: np.ndarray, dtype: type) -> np.ndarray:
    """Return values with these bits; ml_dtypes uses a byte for each."""
    return codes.view(dtype)


def bits_of(x: object) -> np.ndarray:
    return np.asarray(x).view(np.uint8) & 15


@pytest.mark.parametrize("dtype", HALF.values(), ids=list(HALF))
class TestJax:
    def test_a_dim_counts_values(self, jax_ops, dtype) -> None:
        import jax
        import jax.numpy as jnp

        for shape in ((7,), (0,), (7, 1), (1, 7)):
            codes = np.resize(CODES, shape)
            x = jnp.asarray(of_bits(codes, dtype))
            for function in (jax_ops.flip, jax.jit(jax_ops.flip)):
                y, bits = function(x)
                assert y.dtype == dtype and y.shape == bits.shape == shape
                np.testing.assert_array_equal(bits, codes)
                np.testing.assert_array_equal(bits_of(y), ~codes & 15)

    def test_what_xla_computes_is_packed_too(self, jax_ops, dtype) -> None:
        import jax
        import jax.numpy as jnp

        codes = np.resize(CODES, (3, 5))
        x = jnp.asarray(of_bits(codes, dtype))
        y, bits = jax.jit(lambda x: jax_ops.flip(x.T))(x)
        np.testing.assert_array_equal(bits, codes.T)
        np.testing.assert_array_equal(
            bits_of(jax.jit(lambda y: y[:, ::-1])(y)), (~codes.T & 15)[:, ::-1]
        )

    def test_vmap_folds_or_slices(self, jax_ops, dtype) -> None:
        import jax
        import jax.numpy as jnp

        codes = np.resize(CODES, (3, 5))
        _, bits = jax.vmap(jax_ops.flip)(jnp.asarray(of_bits(codes, dtype)))
        np.testing.assert_array_equal(bits, codes)
        codes = np.resize(CODES, (3, 4))
        for function in (jax.vmap(jax_ops.mirror), jax.jit(jax.vmap(jax_ops.mirror))):
            y = function(jnp.asarray(of_bits(codes, dtype)))
            expected = np.concatenate([0 * codes, codes[:, ::-1]], 1)
            np.testing.assert_array_equal(bits_of(y), expected)
        codes = np.resize(CODES, (3, 5))
        name = next(n for n, d in HALF.items() if d is dtype)
        reason = f"mirror: x: 5 elements of {name} do not fill whole bytes"
        with pytest.raises(jax.errors.JaxRuntimeError, match=reason):
            jax.block_until_ready(jax.vmap(jax_ops.mirror)(jnp.asarray(of_bits(codes, dtype))))

    def test_initial_values_and_workspace(self, jax_ops, dtype) -> None:
        import jax.numpy as jnp

        for n in (1, 2, 5, 6):
            codes = CODES[:n]
            y = jax_ops.mirror(jnp.asarray(of_bits(codes, dtype)))
            np.testing.assert_array_equal(bits_of(y), [*[0] * n, *codes[::-1]])


def test_jax_packs(jax_ops) -> None:
    import jax.numpy as jnp

    y = jax_ops.joined(jnp.asarray(CODES))
    assert y.dtype == ml_dtypes.float4_e2m1fn
    np.testing.assert_array_equal(bits_of(y), CODES)


def test_jax_fills_with_integers(jax_ops) -> None:
    import jax
    import jax.numpy as jnp

    x = jnp.asarray(CODES)
    for value, of in ((-8, "i4"), (7, jnp.int4), (15, jnp.uint4), (0, "u4")):
        y = jax.jit(jax_ops.filled, static_argnames=("value", "of"))(x, value=value, of=of)
        assert y.dtype == (jnp.uint4 if of in ("u4", jnp.uint4) else jnp.int4)
        assert y.astype(jnp.int32).tolist() == [value] * 7
    for value, of in ((-9, "i4"), (8, "i4"), (-1, "u4"), (16, "u4")):
        with pytest.raises(
            jax.errors.JaxRuntimeError, match=f"filled: y: {value} does not fit {of}"
        ):
            jax.block_until_ready(jax_ops.filled(x, value=value, of=of))


@pytest.mark.parametrize("name", ["float4_e2m1fn_x2", "int4", "uint4"])
def test_torch_refuses_by_name(torch_ops, name) -> None:
    import torch

    x = torch.zeros(4, dtype=torch.uint8).view(getattr(torch, name))
    reason = f"flip: x: expected a tensor, got one of torch.{name}, whose dims count bytes"
    for function in (torch_ops.flip, torch.func.vmap(torch_ops.flip)):
        with pytest.raises(TypeError, match=re.escape(reason)):
            function(x)
    with pytest.raises(Exception, match=re.escape(reason)):
        torch.compile(torch_ops.flip, fullgraph=True, backend="eager")(x)


def test_torch_has_no_results_of_four_bits(torch_ops) -> None:
    import torch

    bits = torch.zeros(4, dtype=torch.uint8)
    with pytest.raises(ValueError, match="PyTorch has no tensors of dtype f4e2m1"):
        torch_ops.joined(bits)
    with pytest.raises(Exception, match="PyTorch has no tensors of dtype f4e2m1"):
        torch.compile(torch_ops.joined, fullgraph=True, backend="eager")(bits)


def test_torch_has_no_results_of_a_dtype_attr(torch_ops) -> None:
    import torch

    x = torch.zeros(4, dtype=torch.uint8)
    for options, name in (({}, "i4"), ({"of": torch.uint4}, "u4")):
        with pytest.raises((TypeError, ValueError), match=f"dtype {name}|'of' has a dtype"):
            torch_ops.filled(x, value=1, **options)


def test_scales_in_torch(torch_ops) -> None:
    import torch

    x = torch.arange(120, 126, dtype=torch.uint8).view(torch.float8_e8m0fnu).view(2, 3)
    compiled = torch.compile(torch_ops.scales, fullgraph=True, backend="eager")
    for function in (torch_ops.scales, compiled, torch.func.vmap(torch_ops.scales)):
        y = function(x)
        assert y.dtype == torch.float8_e8m0fnu
        assert y.float().tolist() == (2 * x.float()).tolist()
    y = torch_ops.scales(x.t())
    assert y.float().tolist() == (2 * x.t().float()).tolist()


def test_scales_in_jax(jax_ops) -> None:
    import jax
    import jax.numpy as jnp

    x = jnp.asarray(np.float32([[0.5, 1, 2], [4, 8, 16]]), jnp.float8_e8m0fnu)
    for function in (jax_ops.scales, jax.jit(jax_ops.scales), jax.vmap(jax_ops.scales)):
        y = function(x)
        assert y.dtype == jnp.float8_e8m0fnu
        np.testing.assert_array_equal(y.astype(jnp.float32), 2 * x.astype(jnp.float32))
