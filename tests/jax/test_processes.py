"""Two processes with two devices each form one mesh."""

import socket
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[2]

CODE = """
import os, sys
os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=2"
import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P

jax.config.update("jax_cpu_collectives_implementation", "gloo")
process, address = int(sys.argv[1]), sys.argv[2]
jax.distributed.initialize(address, num_processes=2, process_id=process)
assert jax.device_count() == 4 and jax.local_device_count() == 2

from generated.jax import rms_norm
from tests.jax.reference import assert_close, collectives, gradients, normal
from tests.jax.reference import rms_norm as plain

x, weight = normal(8, 3, 16), normal(16, seed=1)
wanted = gradients(plain)(x, weight)
for kind in (AxisType.Auto, AxisType.Explicit):
    mesh = jax.make_mesh((4,), ("i",), (kind,))
    with jax.set_mesh(mesh):
        rows, whole = NamedSharding(mesh, P("i")), NamedSharding(mesh, P())
        make = jax.make_array_from_callback
        args = (
            make(x.shape, rows, lambda index: np.asarray(x)[index]),
            make(weight.shape, whole, lambda index: np.asarray(weight)[index]),
        )
        step = jax.jit(gradients(rms_norm)).lower(*args).compile()
        assert collectives(step.as_text()) == {"all-reduce": 1}, step.as_text()
        dx, dweight = jax.block_until_ready(step(*args))
    for shard in dx.addressable_shards:
        assert_close(shard.data, wanted[0][shard.index])
    assert_close(dweight.addressable_data(0), wanted[1])
print("agreed")
"""


@pytest.mark.slow
def test_two_processes():
    with socket.socket() as free:
        free.bind(("localhost", 0))
        address = f"localhost:{free.getsockname()[1]}"
    started = [
        subprocess.Popen(
            [sys.executable, "-c", CODE, str(process), address],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for process in range(2)
    ]
    try:
        done = [process.communicate(timeout=120) for process in started]
    finally:
        for process in started:
            process.kill()
    for output, errors in done:
        assert output.strip().endswith("agreed"), errors[-3000:]
