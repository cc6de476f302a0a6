"""Layouts: how the model is split over a mesh. A layout determines which mesh axes split each dim.

Both models, with opgen's ops and in plain jax.numpy, follow the same rules. On auto meshes the
rules are sharding constraints, and on explicit meshes they are part of the types.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import jax
import jax.numpy as jnp
from jax.sharding import AxisType, NamedSharding
from jax.sharding import PartitionSpec as P

KINDS = {"auto": AxisType.Auto, "explicit": AxisType.Explicit}
AXES = ("data", "fsdp", "experts", "context", "tensor")


@dataclass(frozen=True)
class Layout:
    """The sizes of the mesh's axes. Each axis splits certain dims.

    `data`, `fsdp` and `experts` split the batch. `experts` also splits the experts of a mixture.
    `fsdp` also splits the weights, which are gathered before use. `context` splits tokens
    everywhere. `tensor` splits heads, hidden dims and vocabulary. With `sequence`, `tensor` also
    splits the tokens between the layers.
    """

    data: int = 1
    fsdp: int = 1
    experts: int = 1
    context: int = 1
    tensor: int = 1
    sequence: bool = True
    kind: str = "auto"

    @property
    def sizes(self) -> dict[str, int]:
        """Return the sizes of the axes with more than one device, by name."""
        return {a: getattr(self, a) for a in AXES if getattr(self, a) > 1}

    def mesh(self) -> jax.sharding.Mesh:
        sizes = self.sizes
        kinds = (KINDS[self.kind],) * len(sizes)
        devices = jax.devices()[: math.prod(sizes.values())]
        return jax.make_mesh((*sizes.values(),), (*sizes,), kinds, devices=devices)

    def spec(self, *dims: str | None) -> P:
        """Return the PartitionSpec of an array with these dims. A dim None is never split."""
        between = ("context", "tensor") if self.sequence else ("context",)
        axes = {
            "batch": ("data", "fsdp", "experts"),
            "experts": ("experts",),
            "tokens": ("context",),
            "tokens between": between,
            "heads": ("tensor",),
            "hidden": ("tensor",),
            "vocab": ("tensor",),
            "stored": ("fsdp",),
        }
        own = [tuple(a for a in axes.get(d, ()) if a in self.sizes) for d in dims]
        return P(*(each or None for each in own))

    def at(self, x: jax.Array, *dims: str | None) -> jax.Array:
        """Return `x`, split as an array with these dims."""
        if self.kind == "auto":
            return jax.lax.with_sharding_constraint(x, self.spec(*dims))
        return jax.sharding.reshard(x, self.spec(*dims))

    def einsum(self, text: str, x: jax.Array, w: jax.Array, *dims: str | None) -> jax.Array:
        """Return the einsum of `x` and `w`. The result is split as an array with these dims."""
        if self.kind == "auto":
            return self.at(jnp.einsum(text, x, w), *dims)
        return jnp.einsum(text, x, w, out_sharding=self.spec(*dims))

    def placed(self, tree: object, dims: object) -> object:
        """Return a tree of arrays, moved from the host to the devices of the current mesh. `dims`
        has the dims of each array.
        """

        def put(x, own):
            sharding = NamedSharding(jax.sharding.get_mesh(), self.spec(*own))
            return jax.make_array_from_callback(x.shape, sharding, lambda i: x[i])

        return jax.tree.map(put, tree, dims)


LAYOUTS = {
    "DP": Layout(data=8),
    "FSDP": Layout(fsdp=8),
    "TP+SP": Layout(tensor=8),
    "CP": Layout(context=8),
    "DP x TP+SP": Layout(data=4, tensor=2),
    "FSDP x TP+SP": Layout(fsdp=4, tensor=2),
    "DP x CP": Layout(data=4, context=2),
    "CP x TP+SP": Layout(context=4, tensor=2),
    "DP x FSDP x TP": Layout(data=2, fsdp=2, tensor=2, sequence=False),
}
