"""Modules over ops compared with Flax NNX's own modules: same state, same values."""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

nnx = pytest.importorskip("flax.nnx", reason="flax is not installed: see docs/dependencies.md")

import generated.jax.nnx as in_nnx  # noqa: E402

ROOT = Path(__file__).parents[2]
LAYERS = ["RMSNorm", "RMSLayerNorm", "LayerNorm"]
D = 33
# The dtypes of x, of the parameters, and of the computation in the Flax module.
DTYPES = [
    *(("float32", "float32", None), ("bfloat16", "bfloat16", None), ("bfloat16", "float32", None)),
    *(("float32", "bfloat16", None), ("float32", "float32", "bfloat16")),
]


def flax_pair(name: str, **options: Any) -> tuple[Any, Any]:
    """Return our module and Flax's own, with the same non-initial parameters."""
    native = nnx.LayerNorm if name == "LayerNorm" else nnx.RMSNorm
    ours, theirs = (
        cls(D, epsilon=1e-3, rngs=nnx.Rngs(0), **options) for cls in (getattr(in_nnx, name), native)
    )
    state = jax.tree.map(drawn, nnx.state(theirs))
    for module in (ours, theirs):
        nnx.update(module, state)
    return ours, theirs


def drawn(array: jax.Array) -> jax.Array:
    seed = np.random.SeedSequence().entropy % 2**32
    return jax.random.normal(jax.random.key(seed), array.shape).astype(array.dtype)


def close(ours: Any, theirs: Any, *dtypes: str | None) -> None:
    """Check leaf by leaf that dtypes are equal and values differ only by rounding.

    The bound is 4 epsilons of the coarsest dtype in `dtypes`, plus 1e-5 for the f32 sums, relative
    to the largest element.
    """
    eps = max(float(jnp.finfo(dtype).eps) for dtype in dtypes if dtype)
    for a, b in zip(jax.tree.leaves(ours), jax.tree.leaves(theirs), strict=True):
        assert (a.dtype, a.shape) == (b.dtype, b.shape)
        a, b = np.float64(a), np.float64(b)
        assert np.abs(a - b).max() <= (4 * eps + 1e-5) * np.abs(b).max()


def value_and_grads(call: Callable[..., jax.Array], x: jax.Array, parameters: Any) -> Any:
    """Return the value and gradients of a loss with a different weight for each element."""

    def loss(x: jax.Array, parameters: Any) -> tuple[jax.Array, jax.Array]:
        y = call(x, parameters)
        return jnp.sum(y.astype(jnp.float32) * jnp.cos(jnp.arange(y.size).reshape(y.shape))), y

    grads, y = jax.grad(loss, (0, 1), has_aux=True)(x, parameters)
    return y, grads


def functional(module: Any) -> tuple[Callable[..., jax.Array], Any]:
    """Return a Flax module as a function of an input and its state."""
    graph, state = nnx.split(module)
    return lambda x, state: nnx.merge(graph, state)(x), state


@pytest.mark.parametrize("name", LAYERS)
@pytest.mark.parametrize("of_x, of_parameters, dtype", DTYPES)
def test_flax_values_and_gradients(
    name: str, of_x: str, of_parameters: str, dtype: str | None
) -> None:
    x = drawn(jnp.zeros((3, 5, D), of_x))
    ours, theirs = (
        value_and_grads(call, x, state)
        for call, state in map(functional, flax_pair(name, param_dtype=of_parameters, dtype=dtype))
    )
    close(ours, theirs, of_x, of_parameters, dtype)


@pytest.mark.parametrize("of_parameters, dtype", [("bfloat16", None), ("float32", "bfloat16")])
def test_flax_embedding(of_parameters: str, dtype: str | None) -> None:
    """Random state, values and gradients equal those of Flax's Embed, for indices of any shape."""
    options = {"param_dtype": of_parameters, "dtype": dtype}
    ours, theirs = (c(7, D, rngs=nnx.Rngs(5), **options) for c in (in_nnx.Embedding, nnx.Embed))
    states = [dict(nnx.to_flat_state(nnx.state(module))) for module in (ours, theirs)]
    assert states[0].keys() == states[1].keys()
    assert all(jnp.array_equal(a[...], states[1][key][...]) for key, a in states[0].items())
    for shape in ((4, 5), (0,)):
        indices = jax.random.randint(jax.random.key(len(shape)), shape, 0, 7)
        ours_, theirs_ = (
            jax.value_and_grad(weighed)(state, functools.partial(call, indices))
            for call, state in map(functional, (ours, theirs))
        )
        close(ours_, theirs_, of_parameters, dtype)
        assert ours(indices).dtype == theirs(indices).dtype


def weighed(state: Any, call: Callable[..., jax.Array]) -> jax.Array:
    y = call(state)
    return jnp.sum(y.astype(jnp.float32) * jnp.cos(jnp.arange(y.size).reshape(y.shape)))


def test_padding_of_embeddings() -> None:
    """The padding row starts with zeros and gets no gradient, even under scan and remat."""
    flax = in_nnx.Embedding(7, D, padding_idx=2, rngs=nnx.Rngs(0))
    assert not flax.embedding[2].any() and flax.embedding.any(1).sum() == 6
    indices = jnp.arange(14).reshape(2, 7) % 7

    @nnx.grad
    def of_flax(layer: Any) -> jax.Array:
        return nnx.scan(
            nnx.remat(lambda total, layer, row: (total + layer(row).sum(), None)),
            in_axes=(nnx.Carry, None, 0),
        )(0.0, layer, indices)[0]

    grads = of_flax(flax).embedding[...]
    assert jnp.array_equal(grads, jnp.full((7, D), 2.0).at[2].set(0))


def test_flax_transformations() -> None:
    """Layers may be made by vmap and run by scan under remat, with split and merged state."""
    x, results = drawn(jnp.zeros((4, D))), []
    init = nnx.initializers.normal(1.0)
    for cls in (in_nnx.LayerNorm, nnx.LayerNorm):
        make = functools.partial(cls, D, epsilon=1e-3, scale_init=init)
        layers = nnx.vmap(lambda rngs: make(rngs=rngs), in_axes=0, out_axes=0)(nnx.Rngs(3).split(3))
        graph, state = nnx.split(layers)
        layers = nnx.merge(graph, jax.tree.map(jnp.array, state))

        @nnx.jit
        def run(layers: Any, x: jax.Array) -> jax.Array:
            step = nnx.remat(lambda x, layer: layer(x))
            return nnx.scan(step, in_axes=(nnx.Carry, 0), out_axes=nnx.Carry)(x, layers)

        grads = nnx.grad(lambda layers: jnp.sum(run(layers, x) ** 3))(layers)
        results.append((run(layers, x), grads))
        assert {key[-1] for key, _ in nnx.to_flat_state(state)} == {"scale", "bias"}
    close(*results, "float32")  # keys are taken from `rngs` like in Flax


def test_in_a_sequence() -> None:
    x = drawn(jnp.zeros(D))
    assert nnx.Sequential(in_nnx.RMSNorm(D, rngs=nnx.Rngs(0)), jnp.tanh)(x).shape == x.shape


def test_parameters_that_are_left_out() -> None:
    x = drawn(jnp.zeros((2, D), "bfloat16"))
    flax = in_nnx.LayerNorm(D, use_bias=False, use_scale=False, rngs=nnx.Rngs(0))
    assert not jax.tree.leaves(nnx.state(flax)) and flax(x).dtype == x.dtype


def test_what_parameters_start_with() -> None:
    metadata = {"frozen": True}
    flax = in_nnx.RMSLayerNorm([3, 4], offset=1.0, rngs=nnx.Rngs(0), scale_metadata=metadata)
    assert not flax.scale.any() and flax.scale.shape == (3, 4)
    assert flax.scale.get_metadata()["frozen"]


@pytest.mark.parametrize("name", ["RMSNorm", "LayerNorm"])
def test_arguments_are_called_as_there(name: str) -> None:
    ours, theirs = ({*inspect.signature(getattr(m, name)).parameters} for m in (in_nnx, nnx))
    assert ours <= theirs


def test_only_the_modules_import_the_library() -> None:
    folder = ROOT / "generated" / "jax"
    imports = re.compile(r"^ *(?:import|from) +flax\b", re.MULTILINE)
    files = (file for file in folder.rglob("[!.]*.py") if imports.search(file.read_text()))
    assert {str(file.relative_to(folder).parent) for file in files} == {"nnx"}
