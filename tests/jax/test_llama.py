"""The Llama of `examples/llama_jax` trains like plain jax.numpy, and moves no more bytes."""

from dataclasses import replace

import jax
import pytest

from examples.llama_jax import processes
from examples.llama_jax.compare import agree, compare, exact, moved, no_more
from examples.llama_jax.layouts import LAYOUTS
from examples.small_llama import distance

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(jax.device_count() < 8, reason="needs 8 devices"),
]

CASES = (
    ("TP+SP", "explicit", "float32"),
    ("FSDP", "auto", "float32"),
    ("CP", "explicit", "bfloat16"),
    ("DP x TP+SP", "auto", "float32"),
    ("DP x FSDP x TP", "explicit", "float32"),
)


@pytest.fixture(scope="module")
def right() -> list[float]:
    return exact()


@pytest.mark.parametrize("name, kind, dtype", CASES)
def test_training_moves_no_more(name: str, kind: str, dtype: str, right: list[float]):
    pair = compare(replace(LAYOUTS[name], kind=kind), dtype)
    assert no_more(pair), [moved(run) for run in pair]
    assert agree(pair, right), (pair.ours.losses, pair.plain.losses, right)
    assert right[-1] < right[0] - 0.5


def test_two_processes(right: list[float]):
    """Two processes have the losses and traffic of one process, and at most plain JAX's traffic."""
    for kind, both in processes.run().items():
        alone = compare(replace(LAYOUTS[processes.LAYOUT], kind=kind), "float32")
        for two, one in zip(both, alone):
            assert moved(two) == moved(one)
            assert distance(two.losses, one.losses) < 1e-5
        assert no_more(both) and agree(both, right)
