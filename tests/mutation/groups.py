"""Which groups of tests find a sample of mutants, and which mutants only one group finds.

    python -m pytest -p tests.mutation.calls -m 'not slow'
    python -m tests.mutation.groups [--each N] [--seed S] [--durations FILE]

The first command records which functions each test calls. The second plants mutants in a copy of the
checkout, `--each` of every part in PARTS, and runs the tests that call the changed function, cheapest
first, for at most LIMIT seconds of each group. Processes and packages that a test makes there have
the mutant, too. Results are in `build/mutation/groups.json`; what is there is not run again. The table
goes into CONTRIBUTING.md. FILE is the output of `pytest --durations=0`: seconds of each group.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.mutation.calls import FOLDER, ROOT, Place
from tests.mutation.operators import mutants

RESULTS = ROOT / "build" / "mutation" / "groups.json"
PAGE = ROOT / "CONTRIBUTING.md"
LIMIT = 10.0
# Where mutants are planted. `opgen/runtime` is planted in `generated/_opgen`, too.
PARTS = {
    "language": ("opgen/language", "opgen/ir"),
    "lint": ("opgen/lint", "opgen/spec", "opgen/source", "opgen/diff"),
    "rendering": ("opgen/targets", "opgen/compiler", "opgen/output", "opgen/docs"),
    "commands": ("opgen/cli", "opgen/build", "opgen/package", "opgen/lsp", "opgen/start"),
    "core": ("opgen/runtime/core",),
    "torch": ("opgen/runtime/torch",),
    "jax": ("opgen/runtime/jax",),
}
# Rows of the table: the folders of tests/, or the checks of rendered tests that start so.
ROWS = {
    "`tests/torch`": "torch",
    "`tests/jax`": "jax",
    "`tests/boundary`, `gradients`, `sizes`, `types`": "boundary gradients sizes types",
    "`tests/runtime`": "runtime",
    "`tests/references`": "references",
    "`tests/triton`, `pallas`, `neuron`, `tvm_ffi`": "triton pallas neuron tvm_ffi",
    "`tests/language`": "language",
    "other folders of `tests/`": "judge memory mutation outside shadow signatures versions",
    "files of `tests/`": "",
    "rendered: `hostile`": "hostile",
    "rendered: `sharded`": "torch_sharded jax_sharded",
    "rendered: kinds, wrong calls": "torch_kinds jax_kinds torch_wrong jax_wrong",
    "rendered: compiled, exported, vmapped": "torch_comp torch_exp torch_vmap jax_vmap torch_opcheck "
    "torch_graphs torch_packages torch_transforms",
    "rendered: shapes": "inferred torch_fake jax_abstract descriptor kernel_is_built",
    "rendered: values, gradients, bits": "torch_ jax_",
}


def group_of(test: str) -> str:
    """The file of a test, or the check of a rendered one."""
    file, _, rest = test.partition("::")
    check = re.search(r"::test_(\w+)", rest)
    return check[1] if file.startswith("generated/") and check else file


def row_of(group: str) -> str:
    """The row of a group in the table."""
    if not group.endswith(".py"):
        starts = ((row, s) for row, words in ROWS.items() if row[0] == "r" for s in words.split())
        return next(row for row, start in starts if group.startswith(start))
    folder = group.split("/")[1] if group.count("/") > 1 else ""
    return next(r for r, words in ROWS.items() if r[0] != "r" and folder in (words.split() or [""]))


class Calls:
    """What `tests.mutation.calls` recorded."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self.tests: defaultdict[Place, list[str]] = defaultdict(list)
        for file in sorted(FOLDER.glob("*.jsonl")):
            for line in file.read_text().splitlines():
                test, seconds, passed, places = json.loads(line)
                self.seconds[test] = seconds
                for place in places if passed else ():
                    self.tests[tuple(place)].append(test)

    def chosen(self, place: Place) -> Iterator[str]:
        """The cheapest tests of each group that call a function."""
        spent: defaultdict[str, float] = defaultdict(float)
        for test in sorted(self.tests[place], key=self.seconds.__getitem__):
            group = group_of(test)
            if not spent[group] or spent[group] + self.seconds[test] < LIMIT:
                spent[group] += self.seconds[test]
                yield test


def sample(each: int, seed: int) -> Iterator[tuple[str, str]]:
    """Paths and names of mutants in functions."""
    for part, folders in PARTS.items():
        found = [
            (path, mutant.name)
            for path in tracked(*folders)
            if path.endswith(".py")
            for mutant in mutants(ast.parse((ROOT / path).read_text()))
            if mutant.function
        ]
        yield from random.Random(f"{seed} {part}").sample(found, min(each, len(found)))


def tracked(*folders: str) -> list[str]:
    command = ["git", "ls-files", "--", *folders]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True).stdout.splitlines()


def copy(tree: Path) -> None:
    """Clone the checkout, with a link to its libraries."""
    subprocess.run(["git", "clone", "--quiet", "--shared", ROOT, tree], check=True)
    (tree / "generated" / "lib").symlink_to(ROOT / "generated" / "lib")


def finders(tree: Path, path: str, name: str, calls: Calls) -> list[str]:
    """The tests that find a mutant, one of each group."""
    module = ast.parse((ROOT / path).read_text())
    mutant = next(each for each in mutants(module) if each.name == name)
    tests = [*calls.chosen((path, mutant.function or ""))]
    with mutant.planted():
        text = ast.unparse(ast.fix_missing_locations(module))
    places = {path, path.replace("opgen/runtime/", "generated/_opgen/")}
    try:
        for each in places:
            (tree / each).write_text(text)
        return run(tree, tests, 60 + 5 * sum(map(calls.seconds.__getitem__, tests)))
    finally:
        for each in places:
            shutil.copy2(ROOT / each, tree / each)


def run(tree: Path, tests: list[str], seconds: float) -> list[str]:
    """The first test of each group that fails, or that never ends; all if nothing is collected."""
    if not tests:
        return []
    asked = {"tests": tests, "failed": []}
    selected = tree / "selected.json"
    selected.write_text(json.dumps(asked))
    places = sorted({"::".join(t.split("::")[: 1 + t.startswith("generated/")]) for t in tests})
    command = [sys.executable, "-m", "pytest", "-p", "tests.mutation.groups", *places]
    command += ["-p", "no:cacheprovider", "--continue-on-collection-errors", "--tb=no"]
    environment = {**os.environ, "PYTHONPATH": str(tree), "OPGEN_SELECTED": str(selected)}
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    try:
        done = subprocess.run(command, cwd=tree, env=environment, timeout=seconds, **quiet)  # type: ignore[call-overload]
        collected = done.returncode in (0, 1)
    except subprocess.TimeoutExpired:
        collected = False
    told = json.loads(selected.read_text())
    failed: list[str] = told["failed"]
    return failed if collected or failed else told.get("running", tests)


# -- in the copy --


class Selection:
    """Runs the selected tests, and no other of a group after one has failed."""

    def __init__(self, file: Path) -> None:
        self.file, self.asked = file, json.loads(file.read_text())
        self.failed: set[str] = set()

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = [item for item in items if item.nodeid in {*self.asked["tests"]}]

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> bool | None:
        if group_of(item.nodeid) in self.failed:
            return True
        self.tell(running=[item.nodeid])
        return None

    def pytest_collectreport(self, report: Any) -> None:
        self.note(report)

    def pytest_runtest_logreport(self, report: Any) -> None:
        self.note(report)

    def note(self, report: Any) -> None:
        if report.failed:
            self.failed.add(group_of(report.nodeid))
            self.tell(failed=[*self.asked["failed"], report.nodeid])

    def tell(self, **known: list[str]) -> None:
        self.asked |= known
        self.file.write_text(json.dumps(self.asked))


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(Selection(Path(os.environ["OPGEN_SELECTED"])))


# -- the table --


def durations(text: str) -> dict[str, float]:
    """The seconds of each test in what pytest prints."""
    found: defaultdict[str, float] = defaultdict(float)
    for seconds, test in re.findall(r"^\s*([\d.]+)s (?:call|setup|teardown) +(\S.*)$", text, re.M):
        found[test] += float(seconds)
    return found


def table(results: dict[str, list[str]], seconds: dict[str, float]) -> Iterator[str]:
    """Of each row: tests, seconds, mutants that it finds, and those that no other row finds."""
    tests, spent = defaultdict(int), defaultdict(float)
    for test, took in seconds.items():
        tests[row_of(group_of(test))] += 1
        spent[row_of(group_of(test))] += took
    by = [{row_of(group_of(test)) for test in found} for found in results.values()]
    yield "| group | tests | seconds | mutants found | by it alone |"
    yield "|---|---|---|---|---|"
    for row in ROWS:
        alone = sum(rows == {row} for rows in by)
        found = sum(row in rows for rows in by)
        yield f"| {row} | {tests[row]} | {spent[row]:.0f} | {found} | {alone} |"
    killed = sum(map(bool, by))
    yield f"| all | {sum(tests.values())} | {sum(spent.values()):.0f} | {killed} of {len(by)} | |"


def put(rows: Iterable[str]) -> None:
    """Write the table between its marks in CONTRIBUTING.md."""
    head, tail = "<!-- python -m tests.mutation.groups -->\n", "<!-- end -->\n"
    before, _, rest = PAGE.read_text().partition(head)
    _, _, after = rest.partition(tail)
    PAGE.write_text("".join([before, head, *(f"{row}\n" for row in rows), tail, after]))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--each", type=int, default=10, help="mutants of each part")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--durations", type=Path, help="default: seconds while calls were recorded")
    args = parser.parse_args()
    calls = Calls()
    results: dict[str, list[str]] = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    with tempfile.TemporaryDirectory() as folder:
        copy(Path(folder))
        for path, name in sample(args.each, args.seed):
            key = f"{path}: {name}"
            if key not in results:
                results[key] = finders(Path(folder), path, name, calls)
                RESULTS.write_text(json.dumps(results, indent=1))
            if not results[key]:
                print(f"survived: {key}", flush=True)
        failed = sorted({test for tests in results.values() for test in tests if "::" in test})
        unsound: set[str] = set()
        while new := run(Path(folder), [*failed - unsound], 3600):
            print("without a mutant, too:", *new, flush=True)
            unsound |= {*new}
        results = {key: [t for t in tests if t not in unsound] for key, tests in results.items()}
    seconds = durations(args.durations.read_text()) if args.durations else calls.seconds
    put(table(results, seconds))


if __name__ == "__main__":
    main()
