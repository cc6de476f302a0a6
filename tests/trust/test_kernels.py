"""Each check finds faults that no other check finds, and every planted fault is found."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from opgen.ir.nodes import Kernel
from opgen.spec.models.rules import GuaranteesSpec
from opgen.testing import OpUnderTest, hostile
from opgen.testing.hostile.edges import edge_cases
from tests.trust.conftest import Tally
from tests.trust.faults import CHECKS, FAULTS, NAMES

pytestmark = pytest.mark.slow
HEADER = Path(__file__).parent / "project" / "kernels" / "rows" / "faults.h"


def numbers() -> dict[str, int]:
    """Return the number of each fault, read from the kernel's header."""
    body = HEADER.read_text().partition("enum Fault {")[2]
    return {name: n for n, name in enumerate(re.findall(r"^  (\w+),$", body, re.M))}


def found(subject: OpUnderTest, number: int) -> set[str]:
    """Return the checks that find an error in a kernel with this fault."""
    cases = (replace(c, attrs=(("fault", number),)) for c in edge_cases(subject.op))
    return {check for _, (check, _) in hostile.examined(subject, cases)}


def test_each_fault_is_listed() -> None:
    assert sorted(numbers()) == sorted(["none", *(name for _, name, _ in NAMES)])
    assert len(NAMES) >= 40


def test_sound_kernel_has_no_fault(rows: OpUnderTest) -> None:
    assert found(rows, 0) == found(stretched(rows), 0) == set()


def test_each_kernel_of_a_list_is_held_to_what_it_promises(rows: OpUnderTest) -> None:
    subject = rows.peer("stretched")
    hostile.conformance(subject)
    every = {"kernels": subject.op.kernels, "awaited": subject.op.awaited}
    promising = {key: tuple(promises_more(k) for k in kernels) for key, kernels in every.items()}
    with pytest.raises(AssertionError, match="stretched_loosely: .*: exact: y") as caught:
        hostile.conformance(replace(subject, op=replace(subject.op, **promising)))
    assert "stretched: " not in str(caught.value).partition("first:")[2]


def promises_more(kernel: Kernel) -> Kernel:
    return replace(kernel, guarantees=GuaranteesSpec(exact=True))


def stretched(rows: OpUnderTest) -> OpUnderTest:
    """Return the kernel that promises exact results."""
    return replace(rows.peer("stretched"), kernel="stretched")


def test_faults_are_found(rows: OpUnderTest, tally: Tally) -> None:
    exact = stretched(rows)
    by = {
        name: found(exact if check == "exact" else rows, numbers()[name])
        for _, name, check in NAMES
    }
    for kind, named in FAULTS.items():
        tally[kind] = {name: by[name] for name in named}
    missed = [(name, check, by[name]) for _, name, check in NAMES if check not in by[name]]
    assert not missed
    alone = Counter(next(iter(checks)) for checks in by.values() if len(checks) == 1)
    assert sorted(alone) == CHECKS  # a check that finds nothing alone is not needed
