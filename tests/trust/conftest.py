"""Fixtures: a project with an op whose kernel contains all faults; a call selects one fault.

This module also makes the table of all results.
"""

from __future__ import annotations

import importlib
from collections import Counter
from pathlib import Path

import pytest

from opgen.testing import OpUnderTest, load
from tests.building import built

# By kind of fault: each planted fault, and the checks that found it.
Tally = dict[str, dict[str, set[str]]]
TALLY = pytest.StashKey[Tally]()
# By framework, way of calling, and kind: the number of wrong calls, and of those without a clear
# error.
Calls = dict[str, list[int]]
CALLS = pytest.StashKey[Calls]()
PROJECT = Path(__file__).parent / "project"


@pytest.fixture(scope="session")
def rows(tmp_path_factory: pytest.TempPathFactory) -> OpUnderTest:
    """Render and build the op for PyTorch."""
    folder = tmp_path_factory.mktemp("trust")
    package = built(PROJECT, "planted", folder, ("core", "cpp", "torch", "tests"))
    importlib.import_module(f"{package.__name__}.torch")
    test = folder / "planted" / "tests" / "test_ops.py"
    return load(str(test), "rows", package="planted", namespace="planted")


@pytest.fixture(scope="session")
def tally(pytestconfig: pytest.Config) -> Tally:
    """Return the found faults, which pytest's summary shows."""
    return pytestconfig.stash.setdefault(TALLY, {})


@pytest.fixture(scope="session")
def calls(pytestconfig: pytest.Config) -> Calls:
    """Return the outcomes of wrong calls, which pytest's summary shows."""
    return pytestconfig.stash.setdefault(CALLS, {})


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    calls = terminalreporter.config.stash.get(CALLS, {})
    if calls:
        terminalreporter.section("wrong calls")
        rows = [*sorted(calls.items()), ("all", [sum(n) for n in zip(*calls.values())])]
        lines = [f"{kind:42} {tried:6} {failed:6}" for kind, (tried, failed) in rows]
        head = f"{'kind':42} {'tried':>6} {'failed':>6}"
        terminalreporter.write_line("\n".join([head, *lines]))
    tally = terminalreporter.config.stash.get(TALLY, {})
    if tally:
        terminalreporter.section("planted faults")
        terminalreporter.write_line(table(tally))


def table(tally: Tally) -> str:
    """Return the table of planted and missed faults by kind, and of each check's findings."""
    every = [checks for found in tally.values() for checks in found.values()]
    lines = [f"{'kind':42} {'tried':>6} {'missed':>6}"]
    for kind, found in tally.items():
        lines.append(f"{kind:42} {len(found):6} {sum(not checks for checks in found.values()):6}")
    lines.append(f"{'all':42} {len(every):6} {sum(not checks for checks in every):6}")
    finds = Counter(check for checks in every for check in checks)
    alone = Counter(min(checks) for checks in every if len(checks) == 1)
    lines += ["", f"{'check':42} {'finds':>6} {'alone':>6}"]
    lines += [f"{check:42} {count:6} {alone[check]:6}" for check, count in sorted(finds.items())]
    return "\n".join(lines)
