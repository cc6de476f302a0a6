"""Trace training steps in JAX: XLA partitions the program for virtual CPU devices, but does not run
it.
"""

from __future__ import annotations

import socket
from collections.abc import Iterator
from functools import partial
from types import SimpleNamespace
from typing import Any

import jax
import jax.numpy as jnp
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P

import generated.jax
from bench.devices.layouts import CHOSEN, COUNTS, EXPERT, EXPERTS, TOKENS, layouts, of_layers
from bench.devices.record import Call, Step, measured
from examples.llama_jax import model, plain
from examples.llama_jax.compare import SHORT
from examples.llama_jax.layouts import KINDS, Layout
from examples.llama_jax.train import QUICK
from examples.small_llama import Sizes
from opgen.testing.collectives import collectives

# On CPUs, XLA would otherwise expand an exchange into one slice for each device. With 4,096 devices,
# this takes minutes to compile.
OPTIONS = {**QUICK, "xla_disable_hlo_passes": "all_to_all_decomposer"}
# The names of axes in `bench.devices.layouts`, and their names in `examples.llama_jax`.
AXES = {"copies": "data", "shards": "fsdp"}


def _topk_softmax(logits: jax.Array, *, k: int, renormalize: bool) -> tuple[jax.Array, jax.Array]:
    weights, ids = jax.lax.top_k(jax.nn.softmax(logits), k)
    return weights / weights.sum(-1, keepdims=True) if renormalize else weights, ids


def _moe_permute(x: jax.Array, ids: jax.Array, *, e: int) -> tuple[jax.Array, ...]:
    order = jnp.argsort(ids.ravel(), stable=True)
    places = jnp.argsort(order).reshape(ids.shape)
    offsets = jnp.searchsorted(ids.ravel()[order], jnp.arange(e + 1)).astype(jnp.int32)
    return x[order // ids.shape[1]], offsets, places


def _moe_unpermute(
    rows: jax.Array, places: jax.Array, weights: jax.Array | None = None
) -> jax.Array:
    chosen = rows[places]
    return (chosen if weights is None else chosen * weights[..., None]).sum(1)


def _grouped_gemm(a: jax.Array, b: jax.Array, offsets: jax.Array) -> jax.Array:
    return jax.lax.ragged_dot(a, b, jnp.diff(offsets))


OPS: dict[str, Any] = {
    "opgen": generated.jax,
    "native": SimpleNamespace(
        **vars(plain),
        topk_softmax=_topk_softmax,
        moe_permute=_moe_permute,
        moe_unpermute=_moe_unpermute,
        grouped_gemm=_grouped_gemm,
    ),
}


def steps() -> Iterator[Step]:
    _start(max(COUNTS))
    for devices in COUNTS:
        for name, sizes in layouts(devices).items():
            axes = {AXES.get(axis, axis): size for axis, size in sizes.items()}
            for kind in KINDS:
                layout = Layout(**axes, kind=kind)
                for ops in OPS:
                    traced = partial(calls, OPS[ops], layout)
                    yield measured(traced, f"JAX, {kind}", devices, name, ops)


def _start(devices: int) -> None:
    """Start JAX with virtual CPU devices.

    XLA treats all devices after the first 2,048 as devices of another process, so it needs an
    address and a backend for collectives.
    """
    with socket.socket() as free:
        free.bind(("localhost", 0))
        address = f"localhost:{free.getsockname()[1]}"
    jax.config.update("jax_num_cpu_devices", devices)
    jax.config.update("jax_cpu_collectives_implementation", "gloo")
    jax.distributed.initialize(address, num_processes=1, process_id=0)


def calls(ops: Any, layout: Layout, layers: int) -> list[Call]:
    """Return the collectives in the compiled training step of a model with `layers` layers."""
    sizes = of_layers(layers)
    weights, mlp = model.model(sizes), None
    if layout.experts > 1:
        weights["layers"] = [_mixture(sizes)] * layers
        mlp = partial(_experts, ops, layout)
    dims = model.each_weight(tuple, weights)
    parts = layout.data * layout.fsdp * layout.experts

    def step(params: Any, tokens: jax.Array, labels: jax.Array) -> Any:
        loss = lambda p: model.loss(  # noqa: E731
            p, tokens, labels, ops, layout, jnp.dtype("float32"), dims, mlp
        )
        value, grads = jax.value_and_grad(loss)(params)
        return value, jax.tree.map(lambda x, own: layout.at(x, *own), grads, dims)

    with jax.set_mesh(layout.mesh()):

        def argument(own: model.Dims, dtype: Any = jnp.float32) -> jax.ShapeDtypeStruct:
            sharding = NamedSharding(jax.sharding.get_mesh(), layout.spec(*own))
            return jax.ShapeDtypeStruct((*own.values(),), dtype, sharding=sharding)

        batch = argument({"batch": parts, "tokens": TOKENS}, jnp.int32)
        given = model.each_weight(argument, weights)
        compiled = jax.jit(step).lower(given, batch, batch).compile(OPTIONS)
    return [(SHORT[kind], size) for kind, size in collectives(compiled.as_text())]


def _mixture(sizes: Sizes) -> dict[str, model.Dims]:
    """Return the dims of a layer's weights, with a router and experts in place of the MLP's
    weights.
    """
    width, experts = {"stored": sizes.width}, {"experts": EXPERTS}
    return model.layer(sizes) | {
        "router": width | {"each": EXPERTS},
        "gate_up": experts | width | {"each": 2 * EXPERT},
        "down": experts | {"each": EXPERT} | width,
    }


def _experts(ops: Any, layout: Layout, layer: dict[str, jax.Array], x: jax.Array) -> jax.Array:
    """Return the weighted sum of the outputs of each token's experts.

    The devices of the axis `experts` share the experts. Each device sends the same number of rows
    to every other device, as if tokens were routed evenly.
    """
    own = EXPERTS // layout.experts

    def exchanged(x: jax.Array) -> jax.Array:
        return jax.lax.all_to_all(x, "experts", 0, 0, tiled=True)

    def local(x: jax.Array, router: jax.Array, gate_up: jax.Array, down: jax.Array) -> jax.Array:
        tokens = x.reshape(-1, x.shape[-1])
        weights, ids = ops.topk_softmax(tokens @ router, k=CHOSEN, renormalize=True)
        rows, offsets, places = ops.moe_permute(tokens, ids, e=EXPERTS)
        counts, rows = exchanged(jnp.diff(offsets)), exchanged(rows)
        # Rows arrive in the order of the sending devices. Sort them by expert.
        experts = jnp.tile(jnp.arange(own), layout.experts)
        which = jnp.repeat(experts, counts, total_repeat_length=len(rows))
        rows, offsets, back = ops.moe_permute(rows, which[:, None], e=own)
        hidden = ops.silu_and_mul(ops.grouped_gemm(rows, gate_up, offsets))
        rows = ops.moe_unpermute(ops.grouped_gemm(hidden, down, offsets), back)
        return ops.moe_unpermute(exchanged(rows), places, weights).reshape(x.shape)

    split, experts = layout.spec("batch", None, None), layout.spec("experts", None, None)
    run = jax.shard_map(local, in_specs=(split, P(), experts, experts), out_specs=split)
    return run(x, layer["router"], layer["gate_up"], layer["down"])
