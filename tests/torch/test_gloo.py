"""If a process of a pool fails, dies or hangs, an error names it. The next call starts a pool."""

from __future__ import annotations

import os
import signal
import time

import pytest
import torch
import torch.distributed as dist

from opgen.testing import gloo
from opgen.testing.gloo import doing, everywhere


def summed(how: str) -> float:
    rank = dist.get_rank()
    doing(f"the sum of {how}")
    if how == "signal" and rank == 1:
        os.kill(os.getpid(), signal.SIGSEGV)
    if how == "exit" and rank == 1:
        os._exit(3)
    if how == "error" and rank == 1:
        raise ValueError("no such sum")
    if how == "silence" and rank == 1:
        time.sleep(60)
    x = torch.ones(3)
    dist.all_reduce(x)
    return float(x.sum())


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ("signal", "process 1 was ended by SIGSEGV, at the sum of signal"),
        ("exit", "process 1 ended with 3, at the sum of exit"),
        ("error", "process 1 failed: ValueError: no such sum, at the sum of error"),
        ("silence", "process 0 says nothing for 2 s, at the sum of silence"),
    ],
)
def test_one_that_fails_is_named(monkeypatch: pytest.MonkeyPatch, how: str, said: str) -> None:
    assert everywhere(2, summed, "all") == [6.0, 6.0]
    monkeypatch.setattr(gloo, "PATIENCE", 2)
    monkeypatch.setattr(gloo, "GRACE", 0.5)
    begun = time.monotonic()
    with pytest.raises(RuntimeError, match=f"^{said}$"):
        everywhere(2, summed, how)
    assert time.monotonic() - begun < 10
    monkeypatch.undo()
    assert everywhere(2, summed, "all") == [6.0, 6.0], "the others are replaced"
