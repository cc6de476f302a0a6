"""Runs a call on arrays that may be spread over a mesh. Rendered by opgen."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence

import jax
from jax.experimental.custom_partitioning import custom_partitioning
from jax.sharding import AbstractMesh, NamedSharding, PartitionSpec

from .call import Call
from .dims import Factors, factors, sizes_of
from .execution import run
from .plan import REDUCTIONS, Plan, plan


def sharded(call: Call, operands: Sequence[jax.Array]) -> tuple[jax.Array, ...]:
    """The results of `call`, each shard computed where its operands are.

    Inside `shard_map` the operands are shards already; axes that it leaves to the
    partitioner are gathered.
    """
    meshes = (jax.typeof(x).sharding.mesh for x in operands)
    mesh = next((mesh for mesh in meshes if mesh.explicit_axes), None)
    if mesh is not None:
        return _explicit(call, operands, mesh)
    if jax.sharding.get_abstract_mesh().manual_axes:
        return run(call, operands)
    return tuple(_automatic(call)(*operands))


def _explicit(
    call: Call, operands: Sequence[jax.Array], mesh: AbstractMesh
) -> tuple[jax.Array, ...]:
    """`call` on a mesh whose axes are part of the operands' types."""
    specs = [jax.typeof(x).sharding.spec for x in operands]
    split = plan(call, operands, specs, mesh.shape)
    operands = [
        jax.sharding.reshard(x, NamedSharding(mesh, spec))
        for x, spec in zip(operands, split.inputs)
    ]
    used = {axis for spec in split.inputs for entry in spec if entry for axis in entry}
    if not used:
        return run(call, operands)
    # On a mesh with other axes too, only those in use can be made manual.
    mixed = len(mesh.explicit_axes) < len(mesh.axis_names)
    function = jax.shard_map(
        _on_shards(call, split),
        mesh=mesh,
        in_specs=split.inputs,
        out_specs=split.outputs,
        **({"axis_names": used} if mixed else {}),
    )
    return function(*operands)


@functools.lru_cache(maxsize=4096)
def _automatic(call: Call) -> custom_partitioning:
    """`call` on a mesh whose axes Shardy, or GSPMD, assigns."""

    def shardings(mesh, specs):
        return tuple(NamedSharding(mesh, spec) for spec in specs)

    def plan_for(mesh, operands) -> Plan:
        specs = [getattr(x.sharding, "spec", PartitionSpec()) for x in operands]
        return plan(call, operands, specs, mesh.shape)

    def partition(mesh, operands, results):
        split = plan_for(mesh, operands)
        outputs, inputs = shardings(mesh, split.outputs), shardings(mesh, split.inputs)
        return mesh, _on_shards(call, split), outputs, inputs

    def infer_sharding(mesh, operands, results):
        return shardings(mesh, plan_for(mesh, operands).outputs)

    def rule(mesh, operands, results):
        rows = factors(call, [len(x.shape) for x in operands])
        shapes = [tuple(x.shape) for x in (*operands, *results)]
        return shardy_rule(rows, shapes, mesh.size)

    def whole(*operands):
        return run(call, operands)

    function = custom_partitioning(whole)
    function.def_partition(
        partition, infer_sharding_from_operands=infer_sharding, sharding_rule=rule
    )
    return function


def _on_shards(call: Call, split: Plan) -> Callable[..., tuple[jax.Array, ...]]:
    """`call` on shards, and the reductions of what each computes a part of."""

    def local(*shards):
        results = []
        for result, reductions in zip(run(call, shards), split.reductions):
            for kind, axes in reductions:
                result = REDUCTIONS[kind](result, axes)
            results.append(result)
        return tuple(results)

    return local


def shardy_rule(
    rows: Factors, shapes: Sequence[tuple[int, ...]], devices: int
) -> tuple[str, dict[str, object]]:
    """The einsum-like text of a sharding rule for so many devices, and its options.

    A dim that is never split gets a name of its own; one that is a multiple of its factor
    (`hk*g`) consists of the factor and such a name. Where such a factor does not come out
    even on the whole mesh it is not split either: Shardy would divide an axis between the
    two, which JAX cannot express.
    """
    every = (*rows.inputs, *rows.outputs)
    sizes = sizes_of(every, shapes)
    labels = {
        factor: f"f{number}"
        for number, (factor, found) in enumerate(sizes.items())
        if len(found) == 1 or min(found) % devices == 0
    }
    whole: list[str] = []
    compound: dict[str, int] = {}

    def label(factor: str | None, size: int) -> str:
        if factor in labels and size == min(sizes[factor]):
            return labels[factor]
        whole.append(f"w{len(whole)}")
        if factor not in labels:
            return whole[-1]
        compound[whole[-1]] = size // max(min(sizes[factor]), 1)
        return f"({labels[factor]} {whole[-1]})"

    texts = [" ".join(map(label, row, shape)) for row, shape in zip(every, shapes)]
    count = len(rows.inputs)
    text = f"{', '.join(texts[:count])} -> {', '.join(texts[count:])}"
    return text, {"need_replication_factors": tuple(whole), **compound}
