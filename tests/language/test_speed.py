"""The time of linting is proportional to the number of specs. `make bench` measures it."""

from __future__ import annotations

import time
import tomllib
from pathlib import Path

import pytest

from opgen.lint import lint
from opgen.source.source_file import SourceFile
from opgen.spec.spec import Spec

pytestmark = pytest.mark.slow

RMS_NORM = Path(__file__).parents[2] / "specs" / "rms_norm.toml"


def copies(count: int) -> list[Spec]:
    """Return `count` families like rms_norm, each with different names."""
    text = RMS_NORM.read_text()
    found = []
    for n in range(count):
        own = text.replace("rms_norm", f"rms{n}_norm").replace("RMSNorm", f"RMS{n}Norm")
        found.append(Spec(SourceFile(f"{n}.toml", own), tomllib.loads(own)))
    return found


def seconds(count: int) -> float:
    """Return the CPU time for linting `count` families, the minimum of three runs."""
    times = []
    for _ in range(3):
        specs = copies(count)
        start = time.process_time()
        assert lint(specs) == []
        times.append(time.process_time() - start)
    return min(times)


def test_time_is_linear() -> None:
    assert seconds(400) < 10 * seconds(100)
