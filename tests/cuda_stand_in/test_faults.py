"""The checks on the stand-in find each fault that `faults.toml` plants in the adapters."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cuda_stand_in import faults
from tests.cuda_stand_in.child import in_child


def outcome(fault: str) -> str:
    from tests.cuda_stand_in import scenario

    return in_child(scenario.run, **{faults.SWITCH: fault})


def test_nothing_is_wrong_without_a_fault(package: Path) -> None:
    assert outcome("") == ""


@pytest.mark.parametrize("fault", [f.name for f in faults.faults() if not f.setup])
def test_a_fault_is_found(package: Path, fault: str) -> None:
    found = outcome(fault)
    print(f"{fault}: {found}")
    assert found
