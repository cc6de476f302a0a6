"""A sharded op. Rows or columns of the input may be on different devices. One all-reduce adds up
the sums of the rows on each device.
"""

import os

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"

import jax
import jax.numpy as jnp
from jax.sharding import NamedSharding, PartitionSpec as P

from language_ops.jax import column_sums

mesh = jax.make_mesh((4, 2), ("rows", "columns"))
x = jnp.arange(64.0).reshape(8, 8)
split = jax.device_put(x, NamedSharding(mesh, P("rows", "columns")))
sums = jax.jit(column_sums)
assert sums(split).tolist() == x.sum(0).tolist()
assert sums(split).sharding.spec == P("columns")

program = sums.lower(split).compile().as_text()
assert program.count("all-reduce(") == 1 and "all-gather" not in program
