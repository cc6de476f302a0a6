"""Groups of tests: the mutants of a sample that each group finds, and those that only it finds.

    python -m pytest -p tests.mutation.calls -m 'not slow'
    python -m tests.mutation.groups [--each N] [--seed S] [--limit SECONDS] [--durations FILE]

The first command records which functions each test calls. The second plants mutants in a copy of the
checkout: `--each` of every part in PARTS. It runs the tests that call the changed function, the
cheapest first, for at most `--limit` seconds of each group. Processes and packages that a test makes there
have the mutant, too. `build/mutation/groups.json` keeps the results, which are not measured again. The
table goes into CONTRIBUTING.md. FILE is the output of `pytest --durations=0`.
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
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.mutation.calls import FOLDER, ROOT, Place, group_of
from tests.mutation.operators import mutants

RESULTS = ROOT / "build" / "mutation" / "groups.json"
PAGE = ROOT / "CONTRIBUTING.md"
# Folders in which mutants are planted. Those of `opgen/runtime` are also planted in
# `generated/_opgen`.
PARTS = {
    "language": ("opgen/language", "opgen/ir"),
    "lint": ("opgen/lint", "opgen/spec", "opgen/source", "opgen/diff"),
    "rendering": ("opgen/targets", "opgen/compiler", "opgen/output", "opgen/docs"),
    "commands": ("opgen/cli", "opgen/build", "opgen/package", "opgen/lsp", "opgen/start"),
    "core": ("opgen/runtime/core",),
    "torch": ("opgen/runtime/torch",),
    "jax": ("opgen/runtime/jax",),
}
# Rows of the table. Each has the folders of tests/, or the prefixes of rendered checks, and the
# kinds of faults that only this row finds.
ROWS = {
    "`tests/torch`": (
        "torch",
        "in the dispatcher, autograd, DTensor and modules that need two ops, threads or processes",
    ),
    "`tests/jax`": ("jax", "such faults in FFI, meshes, export and modules"),
    "`tests/boundary`, `gradients`, `sizes`, `types`": (
        "boundary gradients sizes types",
        "in parts of the language that no op in this repository uses; half of the time compiles",
    ),
    "`tests/runtime`": ("runtime", "in builds and in the C++ that kernels share"),
    "`tests/references`": ("references", "in references, which all other checks assume correct"),
    "`tests/triton`, `pallas`, `neuron`, `tvm_ffi`": (
        "triton pallas neuron tvm_ffi",
        "in code for devices that the machine does not have",
    ),
    "`tests/language`, `signatures`": ("language signatures", "in expressions and inference"),
    "other folders of `tests/`": (
        "cuda_stand_in gpu judge memory mutation outside shadow trust versions",
        "in what users add to packages, and in the tests",
    ),
    "files of `tests/`": ("", "in the linter, renderer and commands"),
    "rendered: values, gradients, bits": (
        "torch_values torch_grad torch_special torch_and jax_values jax_grad jax_special jax_linear",
        "wrong numbers, wrong saved tensors, results that alias arguments",
    ),
    "rendered: `hostile`": (
        "hostile",
        "writes outside a tensor, unwritten elements, dependence on addresses and threads",
    ),
    "rendered: `sharded`": ("torch_sharded jax_sharded", "missing sums over shards"),
    "rendered: kinds, wrong calls": (
        "torch_kinds jax_kinds torch_wrong jax_wrong",
        "values that one framework accepts and the other rejects",
    ),
    "rendered: compiled, exported, vmapped": (
        "torch_comp torch_exp torch_vmap jax_vmap torch_op torch_graphs torch_pack torch_trans",
        "information that tracing loses",
    ),
    "rendered: shapes": (
        "inferred torch_fake jax_abstract descriptor kernel_is_built triton_ pallas_",
        "dtypes and strides of fake results",
    ),
}


def row_of(group: str) -> str:
    """Return the row of a group in the table."""
    rendered = not group.endswith(".py")
    folder = group.split("/")[1] if group.count("/") > 1 else ""
    for row, (words, _) in ROWS.items():
        if rendered == row.startswith("rendered") and (
            group.startswith((*words.split(),)) if rendered else folder in (words.split() or [""])
        ):
            return row
    raise LookupError(group)


class Calls:
    """Reads the records of `tests.mutation.calls`."""

    def __init__(self, limit: float) -> None:
        self.limit = limit
        self.seconds: dict[str, float] = {}
        self.tests: defaultdict[Place, list[str]] = defaultdict(list)
        for file in sorted(FOLDER.glob("*.jsonl")):
            for line in file.read_text().splitlines():
                test, seconds, passed, places = json.loads(line)
                self.seconds[test] = seconds
                for place in places if passed else ():
                    self.tests[tuple(place)].append(test)

    def chosen(self, place: Place) -> Iterator[str]:
        """Yield the cheapest tests of each group that call a function, within a time limit."""
        spent: defaultdict[str, float] = defaultdict(float)
        for test in sorted(self.tests[place], key=self.seconds.__getitem__):
            group = group_of(test)
            if spent[group] + self.seconds[test] < self.limit * (1 if spent[group] else 5):
                spent[group] += self.seconds[test]
                yield test


def sample(each: int, seed: int) -> Iterator[list[tuple[str, str]]]:
    """Yield paths and names of random mutants in functions, `each` of them for each part."""
    for part, folders in PARTS.items():
        found = [
            (path, mutant.name)
            for path in tracked(*folders)
            if path.endswith(".py")
            for mutant in mutants(ast.parse((ROOT / path).read_text()))
            if mutant.function
        ]
        yield random.Random(f"{seed} {part}").sample(found, min(each, len(found)))


def tracked(*folders: str) -> list[str]:
    command = ["git", "ls-files", "--", *folders]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True).stdout.splitlines()


def copy(tree: Path) -> None:
    """Clone the checkout, with a link to its libraries."""
    subprocess.run(["git", "clone", "--quiet", "--shared", ROOT, tree], check=True)
    (tree / "generated" / "lib").symlink_to(ROOT / "generated" / "lib")


def finders(tree: Path, path: str, name: str, calls: Calls) -> list[str]:
    """Return the tests that find a mutant, one of each group."""
    module = ast.parse((ROOT / path).read_text())
    mutant = next(each for each in mutants(module) if each.name == name)
    tests = [*calls.chosen((path, mutant.function or ""))]
    with mutant.planted():
        text = ast.unparse(ast.fix_missing_locations(module))
    places = {path, path.replace("opgen/runtime/", "generated/_opgen/")}
    try:
        for each in places:
            (tree / each).write_text(text)
        return run(tree, tests, 600 + 5 * sum(map(calls.seconds.__getitem__, tests)))
    finally:
        for each in places:
            shutil.copy2(ROOT / each, tree / each)


def run(tree: Path, tests: list[str], seconds: float) -> list[str]:
    """Return the first test of each group that fails or does not end.

    Returns all tests if pytest cannot collect them.
    """
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
        tests = []  # no test has started
    told = json.loads(selected.read_text())
    failed: list[str] = told["failed"]
    return failed if collected or failed else told.get("running", tests)


# -- in the copy --


class Selection:
    """Pytest plugin that runs only the selected tests; it skips a group after a failure."""

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
    """Return the seconds of each test from pytest's output."""
    found: defaultdict[str, float] = defaultdict(float)
    for seconds, test in re.findall(r"^\s*([\d.]+)s (?:call|setup|teardown) +(\S.*)$", text, re.M):
        found[test] += float(seconds)
    return found


def table(
    results: dict[str, list[str]], recorded: Iterable[str], seconds: dict[str, float]
) -> Iterator[str]:
    """Return a table with a line for each row of `ROWS`.

    The columns are the number of tests, the seconds, the found mutants, and the mutants that no
    other row finds.
    """
    tests: Counter[str] = Counter(row_of(group_of(test)) for test in seconds)
    spent: Counter[str] = Counter()
    for test, took in seconds.items():
        spent[row_of(group_of(test))] += took
    tried = {row_of(group_of(test)) for test in recorded}
    by = [{row_of(group_of(test)) for test in found} for found in results.values()]
    yield "| group | tests | seconds | mutants | alone | faults that only this group finds |"
    yield "|---|---|---|---|---|---|"
    for row, (_, faults) in ROWS.items():
        found = sum(row in rows for rows in by), sum(rows == {row} for rows in by)
        cells = (row, tests[row], round(spent[row]), *(found if row in tried else ("", "")), faults)
        yield f"| {' | '.join(map(str, cells))} |"
    killed = sum(map(bool, by))
    yield f"| all | {sum(tests.values())} | {sum(spent.values()):.0f} | {killed} of {len(by)} | | |"


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
    parser.add_argument("--limit", type=float, default=10.0, help="seconds of each group")
    parser.add_argument("--durations", type=Path, help="default: seconds while calls were recorded")
    args = parser.parse_args()
    calls = Calls(args.limit)
    results: dict[str, list[str]] = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    with tempfile.TemporaryDirectory() as folder:
        copy(Path(folder))
        for path, name in (mutant for row in zip(*sample(args.each, args.seed)) for mutant in row):
            key = f"{path}: {name}"
            if key not in results:
                results[key] = finders(Path(folder), path, name, calls)
                RESULTS.write_text(json.dumps(results, indent=1))
            if not results[key]:
                print(f"survived: {key}", flush=True)
        failed = {test for tests in results.values() for test in tests if "::" in test}
        unsound: set[str] = set()
        while new := run(Path(folder), sorted(failed - unsound), 3600):
            print("without a mutant, too:", *new, flush=True)
            unsound |= {*new}
        results = {key: [t for t in tests if t not in unsound] for key, tests in results.items()}
    seconds = durations(args.durations.read_text()) if args.durations else calls.seconds
    put(table(results, calls.seconds, seconds))


if __name__ == "__main__":
    main()
