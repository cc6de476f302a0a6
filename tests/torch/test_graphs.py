"""Sizes and ints in compiled calls are symbols: one graph works for all values."""

from pathlib import Path

import pytest
import torch

import generated.torch as G
from opgen.testing import load, torch_graphs
from opgen.testing.op_under_test import OpUnderTest

TESTS = Path(__file__).parents[2] / "generated/tests/test_ops.py"


def _subject(op: str) -> OpUnderTest:
    return load(str(TESTS), op, package="generated", namespace="generated")


@pytest.mark.parametrize("op", ["soft_cross_entropy", "moe_permute"])
def test_one_graph_serves_all_sizes_and_ints(op):
    torch_graphs.conformance(_subject(op))


@pytest.mark.parametrize("tied", [lambda x: x.shape[0] % 7, lambda x: x.shape[-1] > 4])
def test_the_check_finds_a_call_that_is_tied_to_a_size(monkeypatch, tied):
    def call(x):
        return G.relu(x) if tied(x) else G.relu(x * 1)

    monkeypatch.setattr(OpUnderTest, "wrapper", lambda self, framework: call)
    with pytest.raises(AssertionError, match="relu: expected at most 1 graphs of symbolic sizes"):
        monkeypatch.setattr(torch_graphs, "LIMIT", 1)
        torch_graphs.conformance(_subject("relu"))


def test_varlen_attention_needs_no_lengths():
    q = torch.randn(9, 2, 8)
    ends = torch.tensor([0, 4, 9], dtype=torch.int32)
    given = {"max_q": 9, "max_k": 9}
    assert torch.equal(
        G.varlen_attention(q, q, q, ends, ends, seed=1, offset=2, dropout=0.5),
        G.varlen_attention(q, q, q, ends, ends, seed=1, offset=2, dropout=0.5, **given),
    )


def test_an_unbacked_attr_is_checked_when_the_program_runs():
    def places(x, ids, count):
        return G.moe_permute(x, ids, e=count.item())[0]

    x, ids = torch.randn(3, 4), torch.tensor([[1], [0], [1]])
    with torch._dynamo.config.patch(capture_scalar_outputs=True):
        compiled = torch.compile(places, fullgraph=True, backend="aot_eager")
        assert torch.equal(compiled(x, ids, torch.tensor(2)), places(x, ids, torch.tensor(2)))
        with pytest.raises((RuntimeError, ValueError), match="1"):
            compiled(x, ids, torch.tensor(0))
