"""The Llama of `examples/llama_modules` trains like library layers, and moves no more bytes."""

from __future__ import annotations

import jax
import pytest

from examples.llama_jax.compare import moved
from examples.small_llama import distance

pytest.importorskip("flax", reason="flax is not installed: see docs/dependencies.md")
pytest.importorskip("equinox", reason="equinox is not installed: pip install 'opgen[dev]'")

from examples.llama_modules import in_equinox, in_flax  # noqa: E402
from examples.llama_modules.compare import LAYOUT, Pair, no_more  # noqa: E402
from examples.llama_modules.train import Trained, train  # noqa: E402

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(jax.device_count() < 8, reason="needs 8 devices"),
]


@pytest.fixture(scope="module")
def native() -> Trained:
    return train(in_equinox.model, in_equinox.NATIVE, LAYOUT, "float32", steps=2)


@pytest.mark.parametrize("library", [in_flax, in_equinox], ids=["flax", "equinox"])
def test_training_moves_no_more(library, native: Trained) -> None:
    ours = train(library.model, library.RENDERED, LAYOUT, "float32", steps=2)
    assert no_more(Pair(ours, native)), (moved(ours), moved(native))
    assert distance(ours.losses, native.losses) < 1e-5
    assert ours.losses[-1] < ours.losses[0] - 0.2
