"""Ops that are split along a dim their kernels need whole: values, and bytes against plain jnp."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.sharding import AxisType, NamedSharding
from jax.sharding import PartitionSpec as P

from generated.jax import (
    cross_entropy,
    embedding,
    layer_norm,
    linear_cross_entropy,
    rms_norm,
    soft_cross_entropy,
    weighted_cross_entropy,
)
from generated.jax._cross_entropy_terms import cross_entropy_terms
from opgen.testing.collectives import moved
from tests.jax.reference import assert_close, collectives, compiled, custom_calls, normal

pytestmark = pytest.mark.skipif(jax.device_count() < 8, reason="needs 8 devices")

AUTO, EXPLICIT = AxisType.Auto, AxisType.Explicit
KINDS = {"auto": (AUTO, AUTO), "explicit": (EXPLICIT, EXPLICIT), "mixed": (EXPLICIT, AUTO)}


def plain_entropy(logits, labels, smoothing=0.0, reduction="mean"):
    z = logits - jax.lax.stop_gradient(jnp.max(logits, -1, keepdims=True))
    chosen = labels[..., None] == jnp.arange(logits.shape[-1])
    loss = jnp.log(jnp.sum(jnp.exp(z), -1))
    loss -= (1 - smoothing) * jnp.sum(jnp.where(chosen, z, 0), -1)
    loss -= smoothing * jnp.mean(z, -1) if smoothing else 0
    counts = labels != -100
    loss = jnp.where(counts, loss, 0)
    total = jnp.sum(loss)
    means = {"none": loss, "sum": total}
    return means.get(reduction, total / jnp.sum(counts.astype(jnp.float32)))


def plain_linear(hidden, weight, labels, reduction="mean"):
    return plain_entropy((hidden @ weight.T).astype(jnp.float32), labels, 0.0, reduction)


def plain_weighted(logits, target, weight, smoothing=0.0, reduction="mean"):
    """Return the weighted loss of labels or of probabilities."""
    z = logits - jax.lax.stop_gradient(jnp.max(logits, -1, keepdims=True))
    counts, hard = jnp.ones(z.shape[:-1], bool), target.ndim < z.ndim
    if hard:  # products, because a `jnp.where` of arrays that are split unlike is an error
        counts, target = target != -100, (target[..., None] == jnp.arange(z.shape[-1])) * 1.0
    count = jnp.sum(target * weight) if hard else counts.size
    smooth = ((1 - smoothing) * target + smoothing / z.shape[-1]) * weight
    loss = jnp.sum(smooth * (jnp.log(jnp.sum(jnp.exp(z), -1, keepdims=True)) - z), -1)
    loss = jnp.where(counts, loss, 0)
    return loss if reduction == "none" else jnp.sum(loss) / count


def plain_norm(x, weight, bias):
    centred = x - jnp.mean(x, -1, keepdims=True)
    y = centred / jnp.sqrt(jnp.mean(centred * centred, -1, keepdims=True) + 1e-5)
    return y * weight + bias


def holds(ours, plain, args, specs, kinds=("auto", "explicit", "mixed"), k=64):
    """Check that values are those of the unsharded call, nothing is gathered, and no more bytes
    move than in plain jnp. `k` is the error allowed by `assert_close`.
    """
    wanted = jax.block_until_ready(jax.jit(ours)(*args))
    assert_close(wanted, jax.block_until_ready(jax.jit(plain)(*args)), k)
    for kind in kinds:
        mesh = jax.make_mesh((4, 2), ("d", "t"), KINDS[kind])
        with jax.set_mesh(mesh):
            placed = [jax.device_put(x, NamedSharding(mesh, s)) for x, s in zip(args, specs)]
            found = jax.block_until_ready(jax.jit(ours)(*placed))
            assert_close(jax.tree.map(np.asarray, found), wanted, k)
            text = compiled(ours, *placed)
            assert not {"all-gather", "all-to-all"} & {*collectives(text)}, kind
            assert moved(text) <= moved(compiled(plain, *placed)), kind


LOGITS = normal(16, 64) * 3
LABELS = jnp.asarray(np.random.default_rng(0).integers(0, 64, 16)).at[3].set(-100)
SPLITS = {
    "classes": (P(None, "d"), P()),
    "classes over two axes": (P(None, ("d", "t")), P()),
    "rows and classes": (P("d", "t"), P("d")),
}


@pytest.mark.parametrize("options", [{}, {"smoothing": 0.2}, {"reduction": "none"}], ids=str)
@pytest.mark.parametrize("specs", SPLITS.values(), ids=SPLITS)
def test_loss_over_split_classes(specs, options):
    smoothing = options.get("smoothing", 0.0)
    reduction = options.get("reduction", "mean")

    def ours(logits, labels):
        return cross_entropy(logits, labels, label_smoothing=smoothing, reduction=reduction)

    plain = lambda *args: plain_entropy(*args, smoothing, reduction)  # noqa: E731
    holds(ours, plain, (LOGITS, LABELS), specs)
    gradients = [jax.grad(lambda *a, f=f: jnp.sum(f(*a) ** 2)) for f in (ours, plain)]
    holds(*gradients, (LOGITS, LABELS), specs, kinds=("auto", "explicit"))


@pytest.mark.parametrize("options", [{"smoothing": 0.2}, {"reduction": "none"}], ids=str)
@pytest.mark.parametrize("specs", SPLITS.values(), ids=SPLITS)
@pytest.mark.parametrize("op", [soft_cross_entropy, weighted_cross_entropy])
def test_weighted_loss_over_split_classes(op, specs, options):
    smoothing = options.get("smoothing", 0.0)
    reduction = options.get("reduction", "mean")
    target, split = LABELS, specs[1]
    if op is soft_cross_entropy:
        target, split = jax.nn.softmax(normal(16, 64, seed=1)), specs[0]
    args = LOGITS, target, jnp.abs(normal(64, seed=2))
    placed = specs[0], split, P(specs[0][1])

    def ours(logits, target, weight):
        return op(logits, target, weight, label_smoothing=smoothing, reduction=reduction)

    plain = lambda *args: plain_weighted(*args, smoothing, reduction)  # noqa: E731
    holds(ours, plain, args, placed)
    gradients = [jax.grad(lambda *a, f=f: jnp.sum(f(*a) ** 2)) for f in (ours, plain)]
    holds(*gradients, args, placed, kinds=("auto", "explicit"))


# The number of rows, and the splits. With fewer classes or rows, a gather would move fewer bytes.
VOCABULARIES = {
    "classes": (4, (P(), P("d"), P())),
    "classes over two axes": (4, (P(), P(("d", "t")), P())),
    "rows and classes": (128, (P("d"), P("t"), P("d"))),
}


@pytest.mark.parametrize("reduction", ["mean", "none"])
@pytest.mark.parametrize("dtype", [jnp.float32, jnp.bfloat16], ids=["f32", "bf16"])
@pytest.mark.parametrize("rows, specs", VOCABULARIES.values(), ids=VOCABULARIES)
def test_a_split_vocabulary(rows, specs, dtype, reduction):
    """Neither the weight nor the rows are gathered."""
    labels = (jnp.arange(rows) * 37 % 144).at[1].set(-100)
    args = normal(rows, 17).astype(dtype), normal(144, 17, seed=1).astype(dtype), labels
    k = 64 if dtype == jnp.float32 else 2.0**17

    def ours(hidden, weight, labels):
        return linear_cross_entropy(hidden, weight, labels, reduction=reduction)

    plain = lambda *args: plain_linear(*args, reduction)  # noqa: E731
    holds(ours, plain, args, specs, k=k)
    gradients = [jax.grad(lambda *a, f=f: jnp.sum(f(*a) ** 2), (0, 1)) for f in (ours, plain)]
    # On mixed meshes opgen plans one axis after the other, and may gather rows that two axes share.
    kinds = ("auto", "explicit") if specs[0] else ("auto", "explicit", "mixed")
    holds(*gradients, args, specs, kinds, k)


def test_a_tie_across_shards():
    """The largest logit may occur twice, on two devices."""
    logits = jnp.zeros((2, 64)).at[:, 0].set(5.0).at[:, 63].set(5.0)
    labels = jnp.array([0, 63])
    holds(cross_entropy, plain_entropy, (logits, labels), SPLITS["classes"])


def test_a_label_that_is_out_of_range_is_found_on_a_shard():
    mesh = jax.make_mesh((8,), ("d",), (AUTO,))
    logits = jax.device_put(LOGITS, NamedSharding(mesh, P(None, "d")))
    with pytest.raises(jax.errors.JaxRuntimeError, match="expected 0 <= labels < 64"):
        jax.block_until_ready(cross_entropy(logits, LABELS.at[5].set(64)))


def test_a_part_called_by_itself_knows_where_it_begins():
    mesh = jax.make_mesh((8,), ("d",), (AUTO,))
    top, labels = jnp.max(LOGITS, -1), LABELS.at[3].set(5)
    logits = jax.device_put(LOGITS, NamedSharding(mesh, P(None, "d")))
    call = jax.jit(lambda z, first: cross_entropy_terms(z, labels, top, first, c=80))
    for first in (0, 7):
        found = call(logits, first)[1]
        wanted = [
            top[n] - LOGITS[n, y - first] if 0 <= y - first < 64 else 0
            for n, y in enumerate(labels.tolist())
        ]
        assert_close(found, jnp.asarray(wanted), 4)


@pytest.mark.parametrize(
    "specs",
    [(P(None, None, "d"), P("d"), P("d")), (P("t", None, "d"), P("d"), P("d"))],
    ids=["rows", "batch and rows"],
)
def test_layer_norm_over_split_rows(specs):
    args = normal(4, 4, 32) + 3, normal(32, seed=1), normal(32, seed=2)

    def ours(x, weight, bias):
        return layer_norm(x, weight, bias, normalized_shape=(32,))

    holds(ours, plain_norm, args, specs)
    gradients = [
        jax.grad(lambda *a, f=f: jnp.sum(f(*a) ** 2), (0, 1, 2)) for f in (ours, plain_norm)
    ]
    holds(*gradients, args, specs, kinds=("auto", "explicit"))


def test_layer_norm_without_a_weight():
    """Without a weight, only `normalized_shape` tells which dims form a row."""
    norm = lambda x: layer_norm(x, normalized_shape=(32,))  # noqa: E731
    plain = lambda x: plain_norm(x, 1.0, 0.0)  # noqa: E731
    for spec in (P("d"), P(None, None, "d")):
        holds(norm, plain, (normal(4, 4, 32),), (spec,))


@pytest.mark.parametrize("spec", [P("d"), P(("d", "t")), P("d", "t")], ids=str)
def test_embedding_over_split_rows(spec):
    """If a table's rows are split, each shard uses zeros for rows of other shards.

    The gradient moves nothing.
    """
    table, indices = normal(512, 16), jnp.asarray(np.random.default_rng(0).integers(0, 512, (4, 8)))
    plain = lambda table, indices: table[indices]  # noqa: E731
    holds(embedding, plain, (table, indices), (spec, P()), kinds=("auto",))
    mesh = jax.make_mesh((4, 2), ("d", "t"), (EXPLICIT, EXPLICIT))
    with jax.set_mesh(mesh):  # where plain jnp raises an error
        placed = jax.device_put(table, NamedSharding(mesh, spec))
        found = jax.block_until_ready(embedding(placed, indices))
        assert_close(np.asarray(found), table[indices], 1)
        assert "all-gather" not in collectives(compiled(embedding, placed, indices))
        gradient = jax.grad(lambda t: jnp.sum(embedding(t, indices) ** 2))
        assert_close(
            np.asarray(gradient(placed)), jax.grad(lambda t: jnp.sum(t[indices] ** 2))(table), 4
        )


def test_a_small_table_is_gathered():
    """A small table is gathered, because its rows have fewer bytes than a sum of all results."""
    table, indices = normal(16, 16), jnp.asarray(np.random.default_rng(0).integers(0, 16, (16, 8)))
    for kind in (AUTO, EXPLICIT):
        mesh = jax.make_mesh((8,), ("d",), (kind,))
        with jax.set_mesh(mesh):
            placed = jax.device_put(table, NamedSharding(mesh, P("d")))
            found = jax.block_until_ready(embedding(placed, indices))
            assert_close(np.asarray(found), table[indices], 1)
            text = compiled(embedding, placed, indices)
            assert collectives(text) == {"all-gather": 1}, kind
            assert moved(text) == 7 * 16 * 16 * 4 // 8


def test_a_stage_runs_whole_where_its_operands_are():
    """If only the weights are split, only the stage that reads them is split; nothing is moved."""
    args = normal(16, 64), normal(64, seed=1)
    plain = lambda x, w: x / jnp.sqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-5) * w  # noqa: E731
    mesh = jax.make_mesh((8,), ("d",), (AUTO,))
    with jax.set_mesh(mesh):
        placed = [jax.device_put(x, NamedSharding(mesh, s)) for x, s in zip(args, (P(), P("d")))]
        text = compiled(rms_norm, *placed)
        assert moved(text) == 0
        assert {f"generated.{op}" for op in ("rms_norm_squares", "rms_norm_scale")} <= {
            *custom_calls(text)
        }
        found = jax.block_until_ready(jax.jit(rms_norm)(*placed))
        assert_close(np.asarray(found), plain(*args))


@pytest.mark.parametrize("kind", [AUTO, EXPLICIT])
def test_a_stage_that_nothing_wanted_needs_is_not_run(kind):
    """A stage runs only if a wanted result needs it.

    The gradients of weight and bias do not need the means of rows.
    """
    args = normal(4, 32) + 3, normal(32, seed=1), normal(32, seed=2)
    norm = lambda x, w, b: jnp.sum(layer_norm(x, w, b, normalized_shape=(32,)) ** 2)  # noqa: E731
    mesh = jax.make_mesh((8,), ("d",), (kind,))
    for which, means in (((0, 1, 2), 1), ((1, 2), 0)):
        gradient = jax.grad(norm, which)
        wanted = jax.block_until_ready(jax.jit(gradient)(*args))
        with jax.set_mesh(mesh):
            placed = [
                jax.device_put(x, NamedSharding(mesh, s))
                for x, s in zip(args, (P(None, "d"), P("d"), P("d")))
            ]
            text = compiled(gradient, *placed)
            calls = custom_calls(text)
            assert calls["generated.layer_norm_bwd_means"] == means
            assert calls["generated.layer_norm_bwd_apply"] == 1
            assert collectives(text) == {"all-reduce": 2 + means}  # XLA joins two
            found = jax.block_until_ready(jax.jit(gradient)(*placed))
            assert_close(jax.tree.map(np.asarray, found), wanted)


@pytest.mark.parametrize("padding", [None, 33], ids=["", "padding"])
@pytest.mark.parametrize("spec", [P("t"), P("t", "d")], ids=str)
def test_gradient_of_a_split_table(spec, padding):
    """If the indices are split too, each device sums only its own rows of the table."""
    table = normal(64, 16)
    indices = jnp.asarray(np.random.default_rng(0).integers(0, 64, (8, 4)))
    indices = indices.at[0, :3].set(33)

    def plain(table, indices):
        rows, places = (jax.typeof(x).sharding for x in (table, indices))
        out = P(*places.spec, None) if rows.mesh.explicit_axes else None
        y = table.at[indices].get(out_sharding=out)
        return (
            y
            if padding is None
            else jnp.where((indices == padding)[..., None], jax.lax.stop_gradient(y), y)
        )

    ours = lambda t, i: embedding(t, i, padding_idx=padding)  # noqa: E731
    gradients = [jax.grad(lambda *a, f=f: jnp.sum(f(*a) ** 2)) for f in (ours, plain)]
    wanted = gradients[1](table, indices)
    for kind in (AUTO, EXPLICIT):
        mesh = jax.make_mesh((4, 2), ("d", "t"), (kind, kind))
        with jax.set_mesh(mesh):
            place = NamedSharding(mesh, spec)
            args = jax.device_put(table, place), jax.device_put(
                indices, NamedSharding(mesh, P("d"))
            )
            found, most = (
                jax.jit(f, out_shardings=place).lower(*args).compile() for f in gradients
            )
            assert_close(np.asarray(found(*args)), wanted, 8)
            assert moved(found.as_text()) <= moved(most.as_text()), kind


def test_an_index_that_is_out_of_range_is_found_on_a_shard():
    mesh = jax.make_mesh((8,), ("d",), (AUTO,))
    table = jax.device_put(normal(512, 16), NamedSharding(mesh, P("d")))
    indices = jnp.full((4, 8), 3).at[2, 5].set(512)
    assert "generated.embedding_rows" in custom_calls(compiled(embedding, table, indices))
    with pytest.raises(jax.errors.JaxRuntimeError, match="expected 0 <= indices < 512"):
        jax.block_until_ready(embedding(table, indices))


def test_loops_of_stages():
    """`vmap` over operands of stages becomes a loop if no group of dims can take the axis."""
    mesh = jax.make_mesh((8,), ("d",), (AUTO,))
    logits = normal(3, 4, 64)
    labels = jnp.asarray(np.random.default_rng(1).integers(0, 64, (3, 4)))
    placed = jax.device_put(logits, NamedSharding(mesh, P(None, None, "d")))
    mapped = jax.jit(jax.vmap(cross_entropy))
    assert_close(mapped(placed, labels), jax.vmap(plain_entropy)(logits, labels), 64)
