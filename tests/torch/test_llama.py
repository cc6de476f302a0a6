"""The Llama of `examples/llama_torch` trains like one of native ops, and moves no more bytes."""

from __future__ import annotations

import pytest

from examples.llama_torch.compare import agree, compare, no_more
from examples.llama_torch.layouts import Layout
from examples.llama_torch.train import exact


@pytest.mark.slow
@pytest.mark.parametrize(
    "layout",
    [
        pytest.param(Layout(tensor=2), id="TP+SP, two processes"),
        pytest.param(Layout(shards=2, tensor=2), id="FSDP2 x TP+SP, four"),
    ],
)
def test_training_moves_no_more(layout: Layout):
    pair, right = compare(layout), exact(layout.parts)
    assert no_more(pair), pair
    assert agree(pair, right), (pair.ours.losses, pair.native.losses, right)
    assert right[-1] < right[0] - 0.5
    assert pair.native.collectives["reduce_scatter_tensor"] > 0
