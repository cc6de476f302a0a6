"""`OPGEN_DUMP_HLO` writes the compiled program of each op."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

CODE = """
import jax
import jax.numpy as jnp
import numpy as np
from generated.jax import relu, rms_norm
x, weight = jnp.ones((4, 8)), jnp.ones(8)
for _ in range(2):
    rms_norm(x, weight)
rms_norm(np.ones((2, 8), 'f4'), weight, eps=0.5)
jax.jit(jax.grad(lambda x: relu(x).sum()))(x)
"""


def test_one_file_a_module(tmp_path):
    folder = tmp_path / "dumps"
    env = {**os.environ, "OPGEN_DUMP_HLO": str(folder)}
    subprocess.run([sys.executable, "-c", CODE], cwd=ROOT, env=env, check=True)
    names = ["relu.0", "relu_bwd.0", "rms_norm.0", "rms_norm.1"]
    assert sorted(f.name for f in folder.iterdir()) == sorted(
        f"{name}.{kind}" for name in names for kind in ("hlo", "stablehlo")
    )
    text = (folder / "rms_norm.1.stablehlo").read_text()
    assert "@generated.rms_norm" in text and "eps = 5.000000e-01" in text
    text = (folder / "relu_bwd.0.hlo").read_text()
    assert text.startswith("HloModule") and '"generated.relu_bwd"' in text


MESHES = """
import jax
import jax.numpy as jnp
from jax.sharding import AxisType, PartitionSpec
from generated.jax import adamw_, relu, rms_norm
mesh = jax.make_mesh((2,), ("data",), axis_types=(AxisType.{},))
x, weight = jnp.ones((4, 8)), jnp.ones(8)  # on the first device, where nobody asked for it
lists = [[jnp.ones(4)] for _ in range(4)]
with jax.set_mesh(mesh):
    split = jax.device_put(x, PartitionSpec("data"))
    rms_norm(split, weight).block_until_ready()
    relu(split).block_until_ready()
    relu(x).block_until_ready()
    jax.block_until_ready(adamw_(*lists, 0, 1e-3))
"""


@pytest.mark.parametrize("kind", ["Auto", "Explicit"])
def test_a_program_under_a_mesh_stays_what_it_is(tmp_path, kind):
    flags = "--xla_force_host_platform_device_count=2"
    env = {**os.environ, "OPGEN_DUMP_HLO": str(tmp_path), "XLA_FLAGS": flags}
    code = MESHES.format(kind)
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=env, check=True)
    names = {f.name for f in tmp_path.iterdir()}
    assert {"rms_norm.0.hlo", "relu.0.hlo", "relu.1.hlo", "adamw_.0.hlo"} <= names
