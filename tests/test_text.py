"""The models of `examples/text` learn, with rendered ops as well as with native ones."""

from __future__ import annotations

import pytest

pytest.importorskip("torch")
pytest.importorskip("jax")

from examples.text.run import FRAMEWORKS, train  # noqa: E402


@pytest.mark.slow
@pytest.mark.parametrize("framework", FRAMEWORKS)
def test_curves_lie_on_each_other(framework: str) -> None:
    pair = train(framework, steps=8)
    assert pair.apart < 1e-3
    assert pair.ours.losses[-1] < pair.ours.losses[0] - 1
    assert abs(pair.ours.held_out - pair.native.held_out) < 1e-3
    assert pair.ours.kept <= pair.native.kept
    assert pair.ours.graph_breaks == pair.native.graph_breaks
