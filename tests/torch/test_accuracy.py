"""On hard inputs, kernels are as accurate as PyTorch's own, or within a few epsilons."""

from __future__ import annotations

import pytest
import torch

from bench.accuracy import DTYPES, losses, measured, norms

pytestmark = pytest.mark.slow

MOST = 3.0  # epsilons of the largest element


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("cases", [losses, norms], ids=lambda cases: cases.__name__)
def test_no_worse_than_native(cases, dtype: str) -> None:
    torch.manual_seed(1)
    found = [(case.name, measured(case)) for case in cases(DTYPES[dtype])]
    worse = [
        f"{case}: {result} is off by {ours:.1f} eps, native by {native:.1f}"
        for case, results in found
        for result, (ours, native) in results.items()
        if not (ours <= MOST or ours <= native)
    ]
    assert not worse, "\n".join(worse)
