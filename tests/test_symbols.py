"""Libraries with ops need only symbols of the system and of PyTorch's stable ABI."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

pytest.importorskip("elftools", reason="opgen[package] is not installed: elftools")

from opgen.build.frameworks import find_frameworks
from tests.symbols import strangers

LIB = Path(__file__).parents[1] / "generated/lib"


def test_stable_symbols() -> None:
    assert strangers([*LIB.rglob("*.so")], Path(find_frameworks().torch_include)) == {}


def test_pytorchs_own_symbols_are_found(tmp_path: Path) -> None:
    """Symbols of PyTorch's C++ API are found in a library for one PyTorch version."""
    autograd = min(LIB.glob("libgenerated_autograd-*"))
    library = tmp_path / "libgenerated_torch-0.so"
    shutil.copy(autograd, library)
    (wrong,) = strangers([library], Path(find_frameworks().torch_include)).values()
    assert any("c10" in name for name in wrong)
