"""Run every op of some packages with its gradient, on one device and on meshes, with JAX's cache.

Arguments: a folder, then for each package its name and its version.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from importlib import import_module

import jax
import jax.numpy as jnp
from jax.sharding import AxisType, NamedSharding, PartitionSpec

from tests.versions.changes import call, ops_of

# Otherwise the cache key of a program on an auto mesh contains an address.
jax.config.update("jax_remove_custom_partitioning_ptr_from_cache_key", True)
X, W = jnp.arange(32.0).reshape(4, 8), jnp.ones((4, 8))
jax.config.update("jax_enable_x64", True)
events: Counter[str] = Counter()
jax.monitoring.register_event_listener(lambda event, **_: events.update([event]))


def placed(kind):
    """Return the operands on one device, or split over a mesh with axes of one kind."""
    if kind == "device":
        return X, W
    mesh = jax.make_mesh((2,), ("i",), axis_types=(AxisType[kind],), devices=jax.devices()[:2])
    jax.set_mesh(mesh)
    return jax.device_put((X, W), NamedSharding(mesh, PartitionSpec("i")))


found: dict[str, dict[str, object]] = {}
hits = {}
for kind in ("device", "Explicit", "Auto"):
    x, w = placed(kind)
    before = events["/jax/compilation_cache/cache_hits"]
    for folder, package, version in zip(*[iter(sys.argv[1:])] * 3):
        sys.path.insert(0, folder)
        ops, later = import_module(f"{package}.jax"), version == "later"
        for name in ops_of(ops):

            def program(x, w, op=getattr(ops, name), name=name, later=later):
                return call(op, name, later, x, w)

            weight = w.astype("float64") if name == "input_dtype" and later else w
            y = jax.jit(program)(x, weight)
            values = [str(y.dtype), y.tolist()]
            if name != "no_gradient":
                slopes = jax.jit(jax.grad(lambda x, w: program(x, w).sum(), (0, 1)))(x, weight)
                values += [each.tolist() for each in slopes]
            found.setdefault(kind, {})[f"{package}.{name}"] = values
    hits[kind] = events["/jax/compilation_cache/cache_hits"] - before
print(json.dumps({"found": found, "hits": hits}))
