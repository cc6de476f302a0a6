"""Calls of ops: accepted and refused arguments, error messages, and compiled code."""

import subprocess
import sys

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from generated.jax import relu, rms_norm, rms_norm_bwd, tensor_add, tensor_negate
from tests.jax.reference import assert_close, compiled, custom_calls, gradients, normal
from tests.jax.reference import rms_norm as plain

X, WEIGHT = normal(4, 6, 8), normal(8, seed=1)


def test_values_eager_and_jitted():
    wanted = plain(X, WEIGHT)
    assert_close(rms_norm(X, WEIGHT), wanted)
    assert_close(jax.jit(rms_norm)(X, WEIGHT), wanted)


def test_numpy_arrays_and_scalars():
    assert_close(rms_norm(np.asarray(X), np.asarray(WEIGHT)), plain(X, WEIGHT))
    assert relu(-2.0) == 0 and relu(np.float32(3)) == 3


def test_attrs_by_keyword():
    assert_close(rms_norm(X, WEIGHT, eps=1.0), plain(X, WEIGHT, eps=1.0))
    with pytest.raises(TypeError):
        rms_norm(X, WEIGHT, 1.0)
    with pytest.raises(TypeError, match="epsilon"):
        rms_norm(X, WEIGHT, epsilon=1.0)


@pytest.mark.parametrize(
    ("error", "message", "call"),
    [
        (TypeError, "rms_norm: x: expected a tensor, got None", lambda: rms_norm(None, WEIGHT)),
        (TypeError, "rms_norm: x: expected a tensor, got a list", lambda: rms_norm([1.0], WEIGHT)),
        (TypeError, "rms_norm: weight: expected a tensor, got a str", lambda: rms_norm(X, "w")),
        (
            TypeError,
            "rms_norm: x: expected dtype .* got i32",
            lambda: rms_norm(X.astype(int), WEIGHT),
        ),
        (
            TypeError,
            "rms_norm: x: expected dtype .* got key<fry>",
            lambda: rms_norm(jax.random.key(0), WEIGHT),
        ),
        (TypeError, "tensor_add: a: expected 2 dims .* got 1", lambda: tensor_add(WEIGHT, WEIGHT)),
        (
            TypeError,
            "tensor_add: b: expected dtype f32.*got bf16",
            lambda: tensor_add(X[0], X[0].astype("bfloat16")),
        ),
        (ValueError, "tensor_add: b: expected shape .* got", lambda: tensor_add(X[0], X[0].T)),
        (ValueError, r"rms_norm: .* got \(4, 6, 8\)", lambda: rms_norm(X, WEIGHT[:3])),
        (
            ValueError,
            "rms_norm: eps: expected at least 0.0, got -1.0",
            lambda: rms_norm(X, WEIGHT, eps=-1.0),
        ),
        (
            TypeError,
            "rms_norm: eps: expected a number, got a str",
            lambda: rms_norm(X, WEIGHT, eps="1"),
        ),
        (
            TypeError,
            "rms_norm: eps: expected a number, got a list",
            lambda: rms_norm(X, WEIGHT, eps=[1]),
        ),
        (TypeError, "rms_norm: eps: .* got an array", lambda: rms_norm(X, WEIGHT, eps=WEIGHT[0])),
        (
            TypeError,
            "rms_norm: eps: .* got an array",
            lambda: jax.jit(lambda e: rms_norm(X, WEIGHT, eps=e))(1.0),
        ),
        (TypeError, "rms_norm: x: expected a tensor", lambda: jax.jit(rms_norm)({"a": X}, WEIGHT)),
    ],
)
def test_refusals_name_op_and_argument(error, message, call):
    with pytest.raises(error, match=message) as caught:
        call()
    assert ".py" not in str(caught.value)


def test_a_wrong_call_leaves_no_trace():
    with pytest.raises(ValueError):
        rms_norm(X, WEIGHT[:3])
    assert_close(rms_norm(X, WEIGHT), plain(X, WEIGHT))


@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "float16"])
def test_half_types_are_computed_in_f32(dtype):
    x, weight = X.astype(dtype), WEIGHT.astype(dtype)
    y = rms_norm(x, weight)
    assert y.dtype == dtype
    wanted = plain(x.astype("float32"), weight.astype("float32"))
    assert_close(y, wanted, k=64 if dtype == "float32" else 2.0**16)


def test_mixed_dtypes():
    y = rms_norm(X.astype("bfloat16"), WEIGHT)
    assert y.dtype == jnp.float32
    dx, dweight = gradients(rms_norm)(X.astype("bfloat16"), WEIGHT)
    assert dx.dtype == jnp.bfloat16 and dweight.dtype == jnp.float32


def test_integers():
    y = relu(jnp.asarray([-3, 0, 127, -128], jnp.int8))
    assert y.dtype == jnp.int8 and y.tolist() == [0, 0, 127, 0]
    assert tensor_negate(jnp.asarray([1, -5], jnp.int8)).tolist() == [-1, 5]


@pytest.mark.parametrize("shape", [(0, 8), (3, 0, 8), (1, 8), (8,)])
def test_sizes_zero_and_one(shape):
    x = normal(*shape)
    assert_close(rms_norm(x, WEIGHT), plain(x, WEIGHT))
    found, wanted = (jax.jit(gradients(f))(x, WEIGHT) for f in (rms_norm, plain))
    assert_close(found, wanted)


def test_weak_types_do_not_leak():
    y = relu(jnp.asarray(2.0))
    assert y.dtype == jnp.float32 and not jax.typeof(y).weak_type
    assert (jnp.bfloat16(1) + relu(jnp.asarray(2.0))).dtype == jnp.float32


def test_f64_needs_x64():
    with jax.enable_x64(True):
        x, weight = jnp.ones((3, 8), jnp.float64), jnp.ones(8, jnp.float64)
        assert rms_norm(x, weight).dtype == jnp.float64
    with pytest.raises(TypeError, match="rms_norm: y: .*f64.*jax_enable_x64"):
        rms_norm(x, weight)


def test_one_custom_call_per_op():
    hlo = compiled(rms_norm, X, WEIGHT)
    assert custom_calls(hlo) == {"generated.rms_norm": 1}
    hlo = compiled(gradients(rms_norm), X, WEIGHT)
    assert custom_calls(hlo) == {"generated.rms_norm": 1, "generated.rms_norm_bwd": 1}
    hlo = compiled(lambda a: (tensor_add(a, a) * a).sum(), X[0])
    assert custom_calls(hlo) == {"generated.tensor_add": 1}


def test_attributes_are_typed_and_readable():
    text = jax.jit(lambda x, w: rms_norm(x, w, eps=0.5)).lower(X, WEIGHT).as_text()
    assert "batch_dims = 0 : i64" in text and "eps = 5.000000e-01 : f64" in text


def test_donation():
    function = jax.jit(lambda x: relu(relu(x)), donate_argnums=0)
    x = X + 0
    assert_close(function(x), jnp.maximum(X, 0))
    assert x.is_deleted()


def test_eval_shape_runs_nothing():
    y = jax.eval_shape(rms_norm, X, WEIGHT)
    assert y.shape == X.shape and y.dtype == jnp.float32


def test_two_results():
    dx, dweight = rms_norm_bwd(X, jnp.ones((4, 6)), X, WEIGHT)
    assert dx.shape == X.shape and dweight.shape == WEIGHT.shape


def test_imports_neither_opgen_nor_torch():
    code = (
        "import sys, generated.jax; "
        "print([m for m in ('opgen', 'torch', 'generated.torch') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
