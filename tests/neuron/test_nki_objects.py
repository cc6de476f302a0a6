"""JAX calls the `nki.jit` object of a kernel where the package `nki` is: in a process of its own,
over the stand-in, whose kernels are callbacks to the host."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
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


def test_kernels_are_called_on_tracers() -> None:
    shim = str(ROOT / "tests" / "neuron_shim" / "python")
    program = PROGRAM.format(root=str(ROOT), shim=shim)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout == "right\n", done.stdout + done.stderr
