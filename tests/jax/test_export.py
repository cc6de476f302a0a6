"""Exported programs and compilation caches, including their use in another process."""

import subprocess
import sys
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import export
from jax.sharding import AxisType, NamedSharding
from jax.sharding import PartitionSpec as P

from generated.jax import rms_norm
from tests.jax.reference import assert_close, gradients, normal
from tests.jax.reference import rms_norm as plain

ROOT = Path(__file__).parents[2]
# JAX requires this for every custom call that is outside its own compatibility guarantee.
CHECKS = [
    export.DisabledSafetyCheck.custom_call("generated.rms_norm"),
    export.DisabledSafetyCheck.custom_call("generated.rms_norm_bwd"),
]
WEIGHT = normal(8, seed=1)


def exported(function, *args):
    return export.export(jax.jit(function), disabled_checks=CHECKS)(*args)


def run(code: str, *args: str, **env: str) -> str:
    """Run code in a new process, and return its output."""
    import os

    done = subprocess.run(
        [sys.executable, "-c", code, *args],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, **env},
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout.strip()


@pytest.mark.parametrize(
    ("function", "reference"),
    [
        (rms_norm, plain),
        (gradients(rms_norm), gradients(plain)),
        (jax.vmap(gradients(rms_norm), (0, None)), jax.vmap(gradients(plain), (0, None))),
    ],
    ids=["forward", "gradient", "vmap of the gradient"],
)
def test_symbolic_batch(function, reference):
    batch, rows = export.symbolic_shape("batch, rows")
    shape = jax.ShapeDtypeStruct((batch, rows, 8), jnp.float32)
    program = exported(function, shape, WEIGHT)
    for size in ((1, 2), (5, 3)):
        x = normal(*size, 8)
        assert_close(program.call(x, WEIGHT), jax.jit(reference)(x, WEIGHT))


def test_symbolic_normalised_dim():
    (d,) = export.symbolic_shape("d")
    shapes = [jax.ShapeDtypeStruct(s, jnp.float32) for s in ((4, d), (d,))]
    program = exported(gradients(rms_norm), *shapes)
    x, weight = normal(4, 6), normal(6, seed=1)
    assert_close(program.call(x, weight), jax.jit(gradients(plain))(x, weight))


def test_symbolic_sizes_are_checked():
    d, e = export.symbolic_shape("d, e")
    shapes = [jax.ShapeDtypeStruct(s, jnp.float32) for s in ((4, d), (e,))]
    with pytest.raises(ValueError, match="rms_norm: x: expected shape"):
        exported(rms_norm, *shapes)


def test_reload_in_a_fresh_process(tmp_path):
    (batch,) = export.symbolic_shape("batch")
    program = exported(gradients(rms_norm), jax.ShapeDtypeStruct((batch, 8), jnp.float32), WEIGHT)
    (tmp_path / "program").write_bytes(program.serialize())
    x = normal(5, 8)
    np.savez(tmp_path / "args.npz", x=x, weight=WEIGHT)
    code = """
import sys
import numpy as np
import generated.jax
from jax import export
folder = sys.argv[1]
program = export.deserialize(bytearray(open(folder + "/program", "rb").read()))
args = np.load(folder + "/args.npz")
dx, dweight = program.call(args["x"], args["weight"])
np.savez(folder + "/results.npz", dx=dx, dweight=dweight)
"""
    run(code, str(tmp_path))
    found = np.load(tmp_path / "results.npz")
    wanted = jax.jit(gradients(plain))(x, WEIGHT)
    assert_close((found["dx"], found["dweight"]), wanted)


def test_explicit_meshes_can_be_exported():
    mesh = jax.make_mesh((8,), ("i",), (AxisType.Explicit,))
    with jax.set_mesh(mesh):
        x = jax.device_put(normal(16, 8), NamedSharding(mesh, P("i")))
        weight = jax.device_put(WEIGHT, NamedSharding(mesh, P()))
        program = exported(gradients(rms_norm), x, weight)
        found = jax.block_until_ready(jax.jit(program.call)(x, weight))
    assert_close(found, jax.jit(gradients(plain))(normal(16, 8), WEIGHT))


@pytest.mark.parametrize("devices", ["1", pytest.param("8", marks=pytest.mark.slow)])
def test_the_persistent_cache_hits(tmp_path, devices):
    """A second process compiles nothing, on one device and on an explicit mesh."""
    code = """
import sys
import jax
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P
jax.config.update("jax_compilation_cache_dir", sys.argv[1])
jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)
jax.config.update("jax_persistent_cache_min_entry_size_bytes", -1)
events = []
jax.monitoring.register_event_listener(lambda name, **_: events.append(name))
from generated.jax import rms_norm
mesh = jax.make_mesh((jax.device_count(),), ("i",), (AxisType.Explicit,))
with jax.set_mesh(mesh):
    x = jax.device_put(jax.numpy.ones((16, 8)), NamedSharding(mesh, P("i")))
    weight = jax.device_put(jax.numpy.ones(8), NamedSharding(mesh, P()))
    loss = lambda x, w: (rms_norm(x, w) ** 2).sum()
    function = jax.jit(jax.grad(loss, (0, 1)))
    events.clear()
    jax.block_until_ready(function(x, weight))
hits = [e.rpartition("/")[2] for e in events if e.endswith(("cache_hits", "cache_misses"))]
print(*hits)
"""
    flags = f"--xla_force_host_platform_device_count={devices}"
    results = [run(code, str(tmp_path), XLA_FLAGS=flags) for _ in range(2)]
    assert results == ["cache_misses", "cache_hits"]
