"""Test that the planted faults fit the adapters. CI does not run `make cuda-stand-in` itself."""

from __future__ import annotations

from pathlib import Path

from tests.cuda_stand_in import faults
from tests.cuda_stand_in.paths import ROOT


def test_each_fault_replaces_a_line(tmp_path: Path) -> None:
    runtime, _ = faults.sources(tmp_path, ROOT / "generated")
    assert 'planted("no device guard")' in (runtime / "include" / "opgen" / "cuda.h").read_text()
