"""Linting takes time in proportion to the specs; how much, `make bench` tells."""

from __future__ import annotations

import time
import tomllib
from pathlib import Path

import pytest

from opgen.lint import lint

pytestmark = pytest.mark.slow

RMS_NORM = Path(__file__).parents[2] / "specs" / "rms_norm.toml"


def copies(count: int) -> dict[str, dict]:
    """`count` families like rms_norm, each with names of its own."""
    text = RMS_NORM.read_text()
    return {
        f"{n}.toml": tomllib.loads(
            text.replace("rms_norm", f"rms{n}_norm").replace("RMSNorm", f"RMS{n}Norm")
        )
        for n in range(count)
    }


def seconds(count: int) -> float:
    """CPU time, the least of three runs."""
    documents = copies(count)
    times = []
    for _ in range(3):
        start = time.process_time()
        assert lint(documents) == []
        times.append(time.process_time() - start)
    return min(times)


def test_time_is_linear() -> None:
    assert seconds(400) < 10 * seconds(100)
