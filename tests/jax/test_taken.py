"""Arguments that a wrapper accepts besides arrays, and settings of JAX that affect them."""

import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch

from generated.jax import adamw_, layer_norm_bwd, relu, rms_norm, rms_norm_bwd, tensor_add
from tests.jax.reference import assert_close, normal
from tests.jax.reference import rms_norm as plain

ROOT = Path(__file__).parents[2]
X, WEIGHT = normal(4, 6, 8), normal(8, seed=1)


class Parameter:
    """Holds an array like a Flax module's parameter, but is not a pytree."""

    def __init__(self, value):
        self.value = value

    def __jax_array__(self):
        return self.value


@jax.tree_util.register_pytree_node_class
class Known(Parameter):
    """Parameter like `flax.nnx.Param`: a pytree node with the attributes of its array."""

    def __getattr__(self, name):
        return getattr(self.value, name)

    def tree_flatten(self):
        return (self.value,), None

    @classmethod
    def tree_unflatten(cls, _, children):
        return cls(*children)


@pytest.mark.parametrize("kind", [Parameter, Known])
def test_an_object_that_holds_an_array(kind):
    wanted = plain(X, WEIGHT)
    assert_close(rms_norm(kind(X), kind(WEIGHT)), wanted)
    assert_close(tensor_add(kind(X[0]), X[0]), X[0] + X[0])
    assert_close(jax.jit(lambda w: rms_norm(X, kind(w)))(WEIGHT), wanted)
    ours = jax.grad(lambda w: rms_norm(X, kind(w)).sum())(WEIGHT)
    assert_close(ours, jax.grad(lambda w: plain(X, w).sum())(WEIGHT))
    rows = jax.vmap(lambda w: rms_norm(X, kind(w)))(jnp.stack([WEIGHT, 2 * WEIGHT]))
    assert_close(rows[1], 2 * wanted)


def test_such_objects_in_a_list():
    lists = [[jnp.ones(3)] for _ in range(4)]
    wanted = adamw_(*lists, jnp.zeros(()), 1e-2)
    lists[0] = [Parameter(lists[0][0])]
    lists[1] = [Known(lists[1][0])]
    got = adamw_(*lists, jnp.zeros(()), 1e-2)
    assert jax.tree.all(jax.tree.map(jnp.array_equal, got, wanted))


def test_an_object_of_a_wrong_dtype_is_refused_by_name():
    with pytest.raises(TypeError, match="rms_norm: weight: expected dtype .* got i32"):
        rms_norm(X, Parameter(jnp.ones(8, int)))


def test_numbers_for_scalars_that_are_updated_too():
    lists = [[jnp.ones(3)] for _ in range(4)]
    wanted = adamw_(*lists, jnp.zeros(()), jnp.asarray(1e-2))
    for step, lr in ((0, 1e-2), (0.0, np.float32(1e-2)), (np.int32(0), np.float64(1e-2))):
        got = adamw_(*lists, step, lr)
        assert jax.tree.all(jax.tree.map(jnp.array_equal, got, wanted))
    with jax.enable_x64(True):
        adamw_(*lists, jnp.zeros((), "f4"), np.float64(1e-2))
    for lr in (1j, True, "1", 10**400):
        with pytest.raises(TypeError, match="adamw_: lr: expected"):
            adamw_(*lists, 0, lr)


def test_what_was_compiled_for_an_equal_value_of_another_type_does_not_count():
    assert_close(rms_norm(X, WEIGHT, eps=1.0), plain(X, WEIGHT, eps=1.0))
    with pytest.raises(TypeError, match="rms_norm: eps: expected a number, got a bool"):
        rms_norm(X, WEIGHT, eps=True)
    assert_close(rms_norm(X, WEIGHT, eps=1), plain(X, WEIGHT, eps=1.0))


def test_a_struct_has_no_values():
    with pytest.raises(TypeError, match="rms_norm: x: expected a tensor, got a jax.Sh"):
        rms_norm(jax.ShapeDtypeStruct((4, 8), jnp.float32), WEIGHT)


@pytest.mark.parametrize(
    "value",
    [
        jnp.float32,
        np.float32,
        np.dtype("f4"),
        jnp,
        torch.ones(3),
        SimpleNamespace(dtype=None, shape=None),
    ],
    ids=str,
)
def test_what_has_the_attributes_of_an_array_and_is_none(value):
    lists = [[jnp.ones(3)] for _ in range(4)]
    with pytest.raises(TypeError, match="^relu: x: expected a tensor, got "):
        relu(value)
    with pytest.raises(TypeError, match="^rms_norm: weight: expected a tensor, got "):
        rms_norm(X, value)
    with pytest.raises(TypeError, match="^adamw_: lr: expected "):
        adamw_(*lists, 0, value)
    with pytest.raises(TypeError, match="^adamw_: params.*: expected "):
        adamw_([value], *lists[1:], 0, 1e-3)


def test_references_run_under_strict_promotion():
    """References for second derivatives run under JAX's strict promotion of ranks and dtypes."""
    mean = rstd = jnp.ones((4, 6))

    def loss(dy):
        dx = rms_norm_bwd(dy, rstd, X, WEIGHT, eps=1e-5)[0]
        return dx.sum() + layer_norm_bwd(dy, X, mean, rstd, WEIGHT, eps=1e-5)[0].sum()

    wanted = jax.grad(loss)(X)
    with jax.numpy_rank_promotion("raise"), jax.numpy_dtype_promotion("strict"):
        assert_close(jax.grad(loss)(X), wanted)


def test_a_jaxpr_names_the_op():
    text = str(jax.make_jaxpr(lambda x: (relu(x), rms_norm(x, WEIGHT)))(X))
    assert "_relu_op" in text and "_rms_norm_op" in text


def test_references_are_imported_where_one_runs():
    """References are imported only when one runs.

    Many import array-api-compat, which kernels do not need.
    """
    code = "import sys; sys.modules['array_api_compat'] = None; import generated.jax"
    code += "; import jax.numpy as jnp; generated.jax.relu(jnp.ones(3))"
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)
