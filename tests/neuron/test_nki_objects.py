"""JAX calls the `nki.jit` object of a kernel if the package `nki` is installed.

This runs in a separate process with the stand-in, whose kernels are callbacks to the host.
"""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

from opgen.cli.main import main

ROOT = Path(__file__).resolve().parents[2]
SHIM = str(ROOT / "tests" / "neuron_shim" / "python")
PROGRAM = """
import sys
sys.path[:0] = [{root!r}, {shim!r}]
import functools, os
import jax, jax.numpy as jnp, numpy as np, nki
from generated import core
import generated.jax as ops
from generated.neuron.jax import call

launched = []
original = nki.Kernel.__call__
def spy(self, *args):
    launched.append((self.__name__, self.lnc, all(isinstance(x, jax.core.Tracer) for x in args[:1])))
    return original(self, *args)
nki.Kernel.__call__ = spy

def key(n, *shape):
    return jax.random.normal(jax.random.key(n), shape)

x, weight, dy = key(0, 3, 130, 48), key(1, 48), key(2, 3, 130, 48)
for cores in (1, 2):
    os.environ["NEURON_LOGICAL_NC_CONFIG"] = str(cores)
    run = jax.jit(functools.partial(call, core.rms_norm, eps=1e-5))
    y, invvar = run(x, weight)
    np.testing.assert_allclose(y, ops.rms_norm(x, weight), rtol=1e-5, atol=1e-5)
    assert launched[-1] == ("nki_rms_norm", cores, True), launched
    rows = jax.jit(jax.vmap(run, (0, None)))(x, weight)[0]
    np.testing.assert_allclose(rows, y, rtol=1e-6)

attrs = dict(ignore_index=-100, label_smoothing=0.1, reduction="mean")
with jax.enable_x64(True):
    logits, labels = key(3, 130, 33).astype(jnp.float32), jnp.arange(130, dtype=jnp.int64) % 33
    loss, *_ = jax.jit(functools.partial(call, core.cross_entropy, **attrs))(logits, labels)
    wanted = ops.cross_entropy(logits, labels, label_smoothing=0.1)
    np.testing.assert_allclose(loss, wanted, rtol=1e-6)
    assert loss.shape == ()
    topk = functools.partial(call, core.topk_softmax, k=4, renormalize=True)
    weights, ids, *_ = jax.jit(topk)(logits)
    np.testing.assert_array_equal(ids, ops.topk_softmax(logits, k=4, renormalize=True)[1])
    assert ids.dtype == jnp.int32

# A whole program for the platform: the gradient calls the objects too, and says nothing itself.
grads = jax.jit(jax.grad(lambda x, w: (ops.rms_norm(x, w) * dy).sum(), (0, 1)))
text = grads.trace(x, weight).lower(lowering_platforms=("neuron",)).as_text()
assert "@nki_rms_norm[2](" in text.replace('"', "") and "@nki_rms_norm_bwd[2](" in text.replace('"', ""), text
assert "AwsNeuronCustomNativeKernel" not in text
print("right")
"""


def run(program: str) -> None:
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout == "right\n", done.stdout + done.stderr


def test_kernels_are_called_on_tracers() -> None:
    run(PROGRAM.format(root=str(ROOT), shim=SHIM))


SPEC = """
spec = 1
[dtypes]
T = ["f32", "bf16"]
[ops.running_sum]
doc            = "The sums of the first elements of each row."
reference      = "sums.py:running_sum"
inputs.x       = { dtype = "T", shape = "m n" }
outputs.y      = { dtype = "T", shape = "m n" }
grad           = "none"
sharding.split = ["m"]
kernels        = [
    { on = "neuron", nki = "nkilib.core.cumsum.cumsum:cumsum", lnc = [1] },
    "reference",
]
"""
# Has the library's name and arguments; the test checks how a library function is found and called.
LIBRARY = """
import nki, nki.isa as nisa, nki.language as nl

@nki.jit
def cumsum(x, axis=-1):
    rows, columns = x.shape
    y = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.shared_hbm)
    whole = nl.ds(0, rows), nl.ds(0, columns)
    tile, zero = nl.load(x[whole]), nl.zeros((rows, 1), nl.float32)
    ones, sums = nl.full(x.shape, 1.0, nl.float32), nl.ndarray(x.shape, nl.float32)
    nisa.tensor_tensor_scan(sums, ones, tile, zero, nl.multiply, nl.add)
    nl.store(y[whole], sums)
    return y
"""
RUN = """
import sys
sys.path[:0] = [{here!r}, {shim!r}]
import functools
import jax, numpy as np
from sums_ops import core
from sums_ops.neuron.jax import call
x = jax.random.normal(jax.random.key(0), (100, 300))
(y,) = jax.jit(functools.partial(call, core.running_sum))(x)
np.testing.assert_allclose(y, np.cumsum(x, 1, dtype=np.float64), rtol=1e-4, atol=1e-4)
print("right")
"""


def test_a_kernel_of_the_library_is_called_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs" / "sums.toml").write_text(SPEC)
    reference = "def running_sum(xp, x):\n    return xp.cumulative_sum(x, axis=-1)\n"
    (tmp_path / "specs" / "sums.py").write_text(reference)
    config = '[tool.opgen]\npackage = "sums_ops"\nout = "sums_ops"\nnamespace = "sums_ops"\n'
    (tmp_path / "pyproject.toml").write_text(config)
    if importlib.util.find_spec("nkilib") is None:
        folder = tmp_path / "nkilib" / "core" / "cumsum"
        folder.mkdir(parents=True)
        (folder / "cumsum.py").write_text(LIBRARY)
    monkeypatch.chdir(tmp_path)
    assert main(["render", "specs"]) == 0
    assert not (tmp_path / "sums_ops" / "neuron" / "kernels").exists(), "it is not ours to copy"
    run(RUN.format(here=str(tmp_path), shim=SHIM))
