"""The rendered modules next to those of Flax NNX and Equinox: same state, same values."""

from __future__ import annotations

import functools
import inspect
import io
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from opgen.targets.frameworks.lint.bad_module import TAKEN

from opgen.compiler.pipeline import load
from opgen.spec.config import Config
from opgen.targets.jax import render as jax_target

nnx = pytest.importorskip("flax.nnx", reason="flax is not installed: see docs/dependencies.md")
eqx = pytest.importorskip("equinox", reason="equinox is not installed: pip install 'opgen[dev]'")

import generated.jax.equinox as in_equinox  # noqa: E402
import generated.jax.nnx as in_nnx  # noqa: E402

ROOT = Path(__file__).parents[2]
LAYERS = ["RMSNorm", "RMSLayerNorm", "LayerNorm"]
D = 33
# Of x, of the parameters, and the dtype that a module of Flax is told to compute in.
DTYPES = [
    *(("float32", "float32", None), ("bfloat16", "bfloat16", None), ("bfloat16", "float32", None)),
    *(("float32", "bfloat16", None), ("float32", "float32", "bfloat16")),
]


def flax_pair(name: str, **options: Any) -> tuple[Any, Any]:
    """Ours and Flax's own, with the same parameters, which are not what they start with."""
    native = nnx.LayerNorm if name == "LayerNorm" else nnx.RMSNorm
    ours, theirs = (
        cls(D, epsilon=1e-3, rngs=nnx.Rngs(0), **options) for cls in (getattr(in_nnx, name), native)
    )
    state = jax.tree.map(drawn, nnx.state(theirs))
    for module in (ours, theirs):
        nnx.update(module, state)
    return ours, theirs


def equinox_pair(name: str, dtype: str) -> tuple[Any, Any]:
    """Ours and Equinox's own, with the same parameters, which are not what they start with."""
    if name == "LayerNorm":
        theirs = eqx.nn.LayerNorm(D, eps=1e-3, dtype=jnp.dtype(dtype))
    else:
        theirs = eqx.nn.RMSNorm(D, eps=1e-3, use_bias=False, dtype=jnp.dtype(dtype))
    ours = getattr(in_equinox, name)(D, eps=1e-3, dtype=dtype)
    theirs = jax.tree.map(drawn, theirs)
    arrays = jax.tree.leaves(theirs)
    return jax.tree.unflatten(jax.tree.structure(ours), arrays), theirs


def drawn(array: jax.Array) -> jax.Array:
    seed = np.random.SeedSequence().entropy % 2**32
    return jax.random.normal(jax.random.key(seed), array.shape).astype(array.dtype)


def close(ours: Any, theirs: Any, *dtypes: str | None) -> None:
    """Tree by tree: the same dtypes, values apart by roundings of the coarsest of `dtypes`.

    And by 80 roundings of f32, in which both sum.
    """
    eps = max(float(jnp.finfo(dtype).eps) for dtype in dtypes if dtype)
    for a, b in zip(jax.tree.leaves(ours), jax.tree.leaves(theirs), strict=True):
        assert (a.dtype, a.shape) == (b.dtype, b.shape)
        a, b = np.float64(a), np.float64(b)
        assert np.abs(a - b).max() <= (4 * eps + 1e-5) * np.abs(b).max()


def value_and_grads(call: Callable[..., jax.Array], x: jax.Array, parameters: Any) -> Any:
    """Value and gradients of a loss that weights each element of the result differently."""

    def loss(x: jax.Array, parameters: Any) -> tuple[jax.Array, jax.Array]:
        y = call(x, parameters)
        return jnp.sum(y.astype(jnp.float32) * jnp.cos(jnp.arange(y.size).reshape(y.shape))), y

    grads, y = jax.grad(loss, (0, 1), has_aux=True)(x, parameters)
    return y, grads


def functional(module: Any) -> tuple[Callable[..., jax.Array], Any]:
    """A module of Flax as a function of an input and of its state."""
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


@pytest.mark.parametrize("name", LAYERS)
@pytest.mark.parametrize("of_x, of_parameters", dict.fromkeys(each[:2] for each in DTYPES))
def test_equinox_values_and_gradients(name: str, of_x: str, of_parameters: str) -> None:
    ours, theirs = equinox_pair(name, of_parameters)
    x = drawn(jnp.zeros((3, 5, D), of_x))

    def rows(x: jax.Array, layer: Any) -> jax.Array:
        return jax.vmap(jax.vmap(layer))(x)

    expected = value_and_grads(rows, x, theirs)
    for call in (rows, lambda x, layer: layer(x)):
        close(value_and_grads(call, x, ours), expected, of_x, of_parameters)


@pytest.mark.parametrize("of_parameters, dtype", [("bfloat16", None), ("float32", "bfloat16")])
def test_flax_embedding(of_parameters: str, dtype: str | None) -> None:
    """Flax's own draws, state, values and gradients, over indices of any shape."""
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


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_equinox_embedding(dtype: str) -> None:
    """Equinox's own draws, values and gradients; ours takes many indices at once, too."""
    ours, theirs = (
        cls(7, D, dtype=jnp.dtype(dtype), key=jax.random.key(5))
        for cls in (in_equinox.Embedding, eqx.nn.Embedding)
    )
    assert jnp.array_equal(ours.weight, theirs.weight)
    indices = jax.random.randint(jax.random.key(1), (4, 9), 0, 7)

    def rows(indices: jax.Array, layer: Any) -> jax.Array:
        return jax.vmap(jax.vmap(layer))(indices)

    expected = jax.value_and_grad(weighed)(theirs, functools.partial(rows, indices))
    for call in (rows, lambda indices, layer: layer(indices)):
        close(jax.value_and_grad(weighed)(ours, functools.partial(call, indices)), expected, dtype)


def test_padding_of_embeddings() -> None:
    """The row starts with zeros and gets no gradient; under scan and remat, too."""
    flax = in_nnx.Embedding(7, D, padding_idx=2, rngs=nnx.Rngs(0))
    equinox = in_equinox.Embedding(7, D, padding_idx=-5, key=jax.random.key(0))
    for weight in (flax.embedding[...], equinox.weight):
        assert not weight[2].any() and weight.any(1).sum() == 6
    indices = jnp.arange(14).reshape(2, 7) % 7

    @nnx.grad
    def of_flax(layer: Any) -> jax.Array:
        return nnx.scan(
            nnx.remat(lambda total, layer, row: (total + layer(row).sum(), None)),
            in_axes=(nnx.Carry, None, 0),
        )(0.0, layer, indices)[0]

    @jax.grad
    def of_equinox(layer: Any) -> jax.Array:
        step = jax.checkpoint(lambda total, row: (total + layer(row).sum(), None))
        return jax.lax.scan(step, 0.0, indices)[0]

    for grads in (of_flax(flax).embedding[...], of_equinox(equinox).weight):
        assert jnp.array_equal(grads, jnp.full((7, D), 2.0).at[2].set(0))


def test_flax_transformations() -> None:
    """Layers made by vmap, run by scan under remat; their state split, saved and merged."""
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
    close(*results, "float32")  # keys are taken from `rngs` as Flax takes them


def test_equinox_transformations() -> None:
    """A stack of layers under scan and checkpoint; its arrays parted, saved and put back."""
    x, results = drawn(jnp.zeros((4, D))), []
    start = jax.random.normal(jax.random.key(2), (3, D))
    for layer in (in_equinox.LayerNorm(D, eps=1e-3), eqx.nn.LayerNorm(D, eps=1e-3)):
        stack = jax.tree.map(lambda a: jnp.stack([a] * 3), layer)
        stack = eqx.tree_at(lambda each: each.weight, stack, start)
        arrays, static = eqx.partition(stack, eqx.is_array)
        file = io.BytesIO()
        eqx.tree_serialise_leaves(file, stack)
        file.seek(0)
        stack = eqx.tree_deserialise_leaves(file, jax.tree.map(jnp.zeros_like, stack))
        close(stack, arrays, "float32")

        @eqx.filter_jit
        def run(stack: Any, x: jax.Array, static: Any = static) -> jax.Array:
            arrays = eqx.filter(stack, eqx.is_array)

            @jax.checkpoint
            def step(x: jax.Array, arrays: Any) -> tuple[jax.Array, None]:
                return jax.vmap(eqx.combine(arrays, static))(x), None

            return jax.lax.scan(step, x, arrays)[0]

        grads = eqx.filter_grad(lambda stack: jnp.sum(run(stack, x) ** 3))(stack)
        results.append((run(stack, x), grads))
    close(*results, "float32")


def test_in_a_sequence() -> None:
    """Equinox gives each of its layers a key, and Flax none."""
    x, key = drawn(jnp.zeros(D)), jax.random.key(0)
    layers = eqx.nn.Sequential([in_equinox.RMSNorm(D), eqx.nn.Lambda(jnp.tanh)])
    assert layers(x, key=key).shape == x.shape
    assert nnx.Sequential(in_nnx.RMSNorm(D, rngs=nnx.Rngs(0)), jnp.tanh)(x).shape == x.shape


def test_parameters_that_are_left_out() -> None:
    x = drawn(jnp.zeros((2, D), "bfloat16"))
    flax = in_nnx.LayerNorm(D, use_bias=False, use_scale=False, rngs=nnx.Rngs(0))
    equinox = in_equinox.LayerNorm(D, use_bias=False, use_weight=False)
    assert not jax.tree.leaves((nnx.state(flax), equinox))
    assert jnp.array_equal(flax(x), equinox(x)) and equinox(x).dtype == x.dtype


def test_what_parameters_start_with() -> None:
    metadata = {"frozen": True}
    flax = in_nnx.RMSLayerNorm([3, 4], offset=1.0, rngs=nnx.Rngs(0), scale_metadata=metadata)
    equinox = in_equinox.RMSLayerNorm([3, 4], offset=1.0, dtype="bfloat16")
    assert not flax.scale.any() and flax.scale.shape == equinox.weight.shape == (3, 4)
    assert flax.scale.get_metadata()["frozen"]
    assert not equinox.weight.any() and equinox.weight.dtype == jnp.bfloat16


@pytest.mark.parametrize("name", ["RMSNorm", "LayerNorm"])
@pytest.mark.parametrize("ours, theirs", [(in_nnx, nnx), (in_equinox, eqx.nn)], ids=["nnx", "eqx"])
def test_arguments_are_called_as_there(ours: Any, theirs: Any, name: str) -> None:
    def names(cls: Any) -> set[str]:
        return {*inspect.signature(cls).parameters}

    assert names(getattr(ours, name)) <= names(getattr(theirs, name))


def test_names_that_every_module_has() -> None:
    """Names that `opgen lint` refuses for attrs, sizes and parameters."""
    for library, base in (("nnx", nnx.Module), ("equinox", eqx.Module)):
        assert {name for name in dir(base) if not name.startswith("_")} <= TAKEN[library]


def test_only_the_modules_import_the_libraries() -> None:
    folder = ROOT / "generated" / "jax"
    imports = re.compile(r"^ *(?:import|from) +(flax|equinox)\b", re.MULTILINE)
    found = {
        (str(file.relative_to(folder).parent), *imports.findall(file.read_text())[:1])
        for file in folder.rglob("[!.]*.py")
        if imports.search(file.read_text())
    }
    assert found == {("nnx", "flax"), ("equinox", "equinox")}


@pytest.mark.parametrize("library", ["nnx", "equinox"])
def test_draws_that_follow_from_sizes(library: str) -> None:
    """Two parameters that are drawn, one of them by an expression, with a row of zeros."""
    (text,) = rendered("OG306", f"jax/{library}/_g.py")
    names: dict[str, Any] = {"g": lambda x, bias, padding_idx: (x, bias, padding_idx)}
    exec(
        text.replace("from .._g import g\n", "").replace("from ..._opgen", "from generated._opgen"),
        names,
    )
    options = {"rngs": nnx.Rngs(0)} if library == "nnx" else {"key": jax.random.key(0)}
    size = "num_embeddings" if library == "nnx" else "n"
    x, bias, padding_idx = names["G"](**{size: 999}, d=256, padding_idx=3, **options)()
    assert (x.shape, bias.shape, padding_idx) == ((999, 256), (256,), 3)
    assert not x[3].any() and abs(float(x.std()) * 16 - 1) < 0.01
    assert abs(float(bias.std()) * 2 - 1) < 0.2 and abs(float(x.mean())) < 1e-3


def rendered(rule: str, *paths: str) -> list[str]:
    """Files of the spec that a rule has nothing against."""
    project, found, _ = load([ROOT / "tests" / "lint" / rule / "good.toml"], Config(ROOT))
    assert not found
    files = {f.path: f.text for f in jax_target.family_outputs(project, project.families[0])}
    return [files[path] for path in paths]


@pytest.mark.parametrize("library", ["nnx", "equinox"])
def test_sizes_that_are_computed(library: str) -> None:
    """Of a spec that nothing was rendered of: parameters whose dims are expressions."""
    (text,) = rendered("OG613", f"jax/{library}/_f.py")
    text = text.replace("from .._f import f\n", "").replace(
        "from ..._opgen", "from generated._opgen"
    )
    names: dict[str, Any] = {
        "__name__": __name__,
        "f": lambda x, weight, bias, eps: (x, weight, bias, eps),
    }
    exec(text, names)
    options = {"rngs": nnx.Rngs(0)} if library == "nnx" else {}
    module = names["F"](5, 3, eps=0.5, **options)
    x, weight, bias, eps = module(jnp.ones(2))
    assert (weight.shape, bias.shape, eps) == ((5, 6), (5,), 0.5)
