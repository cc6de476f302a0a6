"""JAX's own options write the programs of ops, as docs/jax.md says."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]

CODE = """
import jax.numpy as jnp
from generated.jax import rms_norm
rms_norm(jnp.ones((4, 8)), jnp.ones(8), eps=0.5)
"""


def test_the_program_of_an_op_is_dumped(tmp_path):
    flags = f"--xla_dump_to={tmp_path} --xla_dump_hlo_as_text"
    dumps = {"JAX_DUMP_IR_TO": str(tmp_path), "JAX_DUMP_IR_MODES": "stablehlo"}
    env = {**os.environ, **dumps, "XLA_FLAGS": flags}
    subprocess.run([sys.executable, "-c", CODE], cwd=ROOT, env=env, check=True)
    (program,) = tmp_path.glob("*jit__rms_norm*.mlir")
    text = program.read_text()
    assert "@generated.rms_norm" in text and "eps = 5.000000e-01" in text
    (program,) = tmp_path.glob("*jit__rms_norm.*after_optimizations.txt")
    assert '"generated.rms_norm"' in program.read_text()
