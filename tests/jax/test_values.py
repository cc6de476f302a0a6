"""`OPGEN_CHECK_VALUES=1` checks the elements of inputs by the spec's value rules, in JAX."""

import os
import subprocess
import sys

import pytest

PRELUDE = """
import jax, jax.numpy as jnp
from generated.jax import embedding, embedding_bag
from generated.jax._embedding import _embedding
weight = jnp.ones((5, 3))
right, wrong = jnp.array([[0, 1], [4, 2]]), jnp.array([[0, 1], [7, -1]])
def said(call, *args):
    try:
        jax.block_until_ready(call(*args))
        jax.effects_barrier()
    except Exception as error:
        return f"{type(error).__name__} {str(error).splitlines()[-1]}"
"""
EXPECTED = "embedding: indices: expected 0 <= indices < rows with rows = 5, got 7 at "
OFFSETS = (
    "embedding_bag: offsets: expected offsets from 0 to n, never falling with n = 3, got 1 at [2]"
)


def python(script: str, checked: str = "1") -> str:
    """Return the output of a new process, because the variable is read at import."""
    run = subprocess.run(
        [sys.executable, "-c", PRELUDE + script],
        env={**os.environ, "OPGEN_CHECK_VALUES": checked},
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stderr
    return run.stdout.strip()


@pytest.mark.parametrize(
    "call, error",
    [
        ("embedding", f"ValueError {EXPECTED}[1, 0]"),
        ("jax.jit(embedding)", f"JaxRuntimeError ValueError: {EXPECTED}[1, 0]"),
        ("jax.grad(lambda w, i: embedding(w, i).sum())", f"ValueError {EXPECTED}[1, 0]"),
        ("lambda w, i: jax.vmap(lambda row: embedding(w, row))(i)", EXPECTED + "[0]"),
    ],
)
def test_indices(call, error):
    script = f"call = {call}\nprint(said(call, weight, right), said(call, weight, wrong), sep='|')"
    before, after = python(script).split("|")
    assert before == "None" and after.endswith(error)


@pytest.mark.parametrize("jit", ["", "jax.jit"])
def test_offsets(jit):
    script = f"print(said({jit}(embedding_bag), weight, right[0, jnp.array([0, 1, 1])], jnp.array([0, 2, 1, 3])))"
    assert python(script).endswith(OFFSETS)


def test_nothing_is_wrapped_without_the_variable():
    script = "print(hasattr(_embedding, 'lower'), 'callback' in str(jax.make_jaxpr(embedding)(weight, right)))"
    assert python(script, checked="") == "True False"
    assert python(script).endswith("True")
