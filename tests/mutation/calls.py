"""Record the functions that each test calls: `pytest -p tests.mutation.calls`.

Every process writes files in `build/mutation/calls` with a line of JSON for each test. It holds the
test's name, seconds and result, and the opgen functions that the test and its fixtures called. A
package's copy of the runtime counts as `opgen/runtime`. Calls in other processes and threads are
not recorded. With `OPGEN_CALLS=3`, further tests of a group are skipped after 3 seconds.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from types import CodeType
from typing import Any

import pytest

from tests.mutation.planting import forget, outermost

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "build" / "mutation" / "calls"
MOST = float(os.environ.get("OPGEN_CALLS", "inf"))
Place = tuple[str, str]  # a module's path and the name of a function


class Recorder:
    """Collects calls in a set that changes with the running test or fixture."""

    def __init__(self) -> None:
        self.places: dict[CodeType, Place | None] = {}
        self.current: list[set[Place]] = [set()]
        self.fixtures: defaultdict[object, set[Place]] = defaultdict(set)
        self.failed = False
        self.path = Path()
        self.spent: defaultdict[str, float] = defaultdict(float)
        FOLDER.mkdir(parents=True, exist_ok=True)
        self.file = (FOLDER / f"{os.getpid()}.jsonl").open("a")

    def called(self, frame: Any, event: str, arg: object) -> None:
        code = frame.f_code
        if code not in self.places:
            self.places[code] = place(code)
        found = self.places[code]
        if found is not None:
            self.current[-1].add(found)

    @pytest.hookimpl(hookwrapper=True)
    def pytest_fixture_setup(self, fixturedef: Any) -> Iterator[None]:
        self.current.append(self.fixtures[fixturedef])
        yield
        self.current.pop()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.failed = self.failed or not report.passed

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        if self.spent[group_of(item.nodeid)] > MOST:
            pytest.skip("other tests of the group took long enough")

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item: Any) -> Iterator[None]:
        self.current, self.failed = [set()], False
        if item.path != self.path:
            self.path = item.path
            forget()
        begun = processor_seconds()
        sys.settrace(self.called)
        yield
        sys.settrace(None)
        calls = self.current[0]
        for definitions in item._fixtureinfo.name2fixturedefs.values():
            for definition in definitions:
                calls = calls | self.fixtures[definition]
        seconds = processor_seconds() - begun
        self.spent[group_of(item.nodeid)] += seconds
        row = (item.nodeid, seconds, not self.failed, sorted(calls))
        self.file.write(json.dumps(row) + "\n")
        self.file.flush()


def group_of(test: str) -> str:
    """Return the group of a test: its file, or for a rendered test its check."""
    file, _, rest = test.partition("::")
    check = re.search(r"::test_(\w+)", rest)
    return check[1] if file.startswith("generated/") and check else file


def processor_seconds() -> float:
    """Return the CPU time of this process and of its finished child processes."""
    return sum(os.times()[:4])


def place(code: CodeType) -> Place | None:
    """Return the module and the outermost function of code in opgen; None for other code."""
    path = code.co_filename
    if "/_opgen/" in path:
        path = f"opgen/runtime/{path.rpartition('/_opgen/')[2]}"
    elif path.startswith(f"{ROOT}/opgen/"):
        path = path.removeprefix(f"{ROOT}/")
    else:
        return None
    return path, outermost(code.co_qualname)


def pytest_configure(config: pytest.Config) -> None:
    if hasattr(config, "workerinput") or not config.getoption("numprocesses", None):
        config.pluginmanager.register(Recorder())
