"""`OPGEN_CHECK_VALUES=1` checks the elements of inputs by the spec's value rules, in PyTorch."""

import json
import os
import subprocess
import sys

import pytest

PRELUDE = """
import json
import torch
from generated.torch import embedding, embedding_bag
weight = torch.randn(5, 3, requires_grad=True)
right = torch.tensor([[0, 1], [4, 2]])
wrong = torch.tensor([[0, 1], [7, -1]])
def said(call, *args):
    try:
        call(*args)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
"""
OUT_OF_RANGE = (
    "ValueError: embedding: indices: expected 0 <= indices < rows with rows = 5, got 7 at [1, 0]"
)
OFFSETS = "ValueError: embedding_bag: offsets: expected offsets from 0 to n, never falling with n = 3, got "


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


INDICES = (
    "embedding",
    "torch.ops.generated.embedding",
    "torch.compile(embedding, fullgraph=True, backend='aot_eager')",
    "lambda w, i: torch.vmap(lambda row: embedding(w, row))(i)",
    "torch.inference_mode()(embedding)",
)
BOUNDS = (
    ([0, 2, 1, 3], "1 at [2]"),
    ([1, 3], "1 at [0]"),
    ([0, 2], "2 at [1]"),
    ([0, 0, 3], None),
)


@pytest.fixture(scope="module")
def answers() -> dict[str, object]:
    """Return the results of calls with right and wrong indices and offsets, all from one process."""
    calls = ", ".join(f"{call!r}: {call}" for call in INDICES)
    return json.loads(python(f"""
calls, bounds = {{{calls}}}, {[given for given, _ in BOUNDS]}
found = {{n: [said(f, weight, right), said(f, weight, wrong)] for n, f in calls.items()}}
for given in bounds:
    indices, offsets = right[0, [0, 1, 1]], torch.tensor(given)
    found[str(given)] = said(embedding_bag, weight, indices, offsets)
print(json.dumps(found))
"""))


@pytest.mark.parametrize("call", INDICES)
def test_indices(answers, call):
    assert answers[call] == [None, OUT_OF_RANGE]


@pytest.mark.parametrize("bounds, got", BOUNDS)
def test_offsets(answers, bounds, got):
    assert answers[str(bounds)] == (f"{OFFSETS}{got}" if got else None)


def test_a_gradient_is_the_same():
    script = "embedding(weight, right).sum().backward(); print(weight.grad.tolist())"
    assert python(script) == python(script, checked="")


def test_nothing_is_registered_without_the_variable():
    script = "print(torch._C._dispatch_has_kernel_for_dispatch_key('generated::embedding', 'BackendSelect'))"
    assert (python(script), python(script, checked="0")) == ("True", "False")
