"""Mutation testing: small mistakes in a module that no test would notice.

    python -m tests.mutation.run [--jobs N] [--again | --resume] [--quick] [MODULE...]

The tests are collected once. Each mutant is planted in a fork. The fork runs the tests that call
its function until one fails, starting with those that found the most. A mutant in code that runs on
import, such as a table, is planted in a fork that imports opgen again.

`survivors.toml` lists the mutants that no test can or should notice, with the reason. Other
survivors are printed, and the exit code is 1. Results are in `build/mutation.json`. `--again` tries
only those that survived the last time, and `--resume` those that have no result yet. `--quick` runs
the tests of one part alone, without those that lint and render whole projects.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import pickle
import resource
import shutil
import signal
import sys
import tempfile
import time
import tomllib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import CodeType
from typing import Any

import pytest

from tests.mutation.operators import Mutant, mutants
from tests.mutation.planting import Finder, code_of, forget, functions, module_name, outermost

ROOT = Path(__file__).parents[2]
MODULES = (
    "opgen/ir/shape_inference.py",
    *(f"opgen/ir/resolve{part}.py" for part in ("", "_kernels", "_tune")),
    *(f"opgen/targets/{target}/resolve.py" for target in ("tpu", "triton")),
    *(
        f"opgen/language/expr/{part}.py"
        for part in "cpp decide evaluate places python syntax text types".split()
    ),
)
# The tests that find the most mutants run first. If opgen is imported again, the QUICK ones run
# before all others.
QUICK = """
    test_expr language/test_printers language/test_expressions language/test_types
    language/test_combinations test_resolve test_infer test_worlds test_descriptor test_negative_sizes
""".split()
REST = ["test_cases", "test_unrendered", "test_render"]
# Leaves out a slow test that checks other things.
SELECTED = "not strings_never_become_code"
ARGUMENTS = ["-o", "addopts=--import-mode=importlib", "-k", SELECTED]
ARGUMENTS += ["-p", "no:terminal", "-p", "no:cacheprovider"]
SURVIVORS = Path(__file__).parent / "survivors.toml"
RESULTS = ROOT / "build" / "mutation.json"
SURVIVED = "survived"
# Seconds and bytes that a mutant may use in addition to its tests, because it may never end.
SECONDS, BYTES = 2, 3 * 2**30


def files(names: Iterable[str]) -> list[str]:
    return [str(ROOT / "tests" / f"{name}.py") for name in names]


def key(path: str, mutant: Mutant) -> str:
    return f"{path}: {mutant.name}"


def there(paths: Iterable[str]) -> Iterator[str]:
    """Yield the current mutants of each module."""
    for path in paths:
        yield from (key(path, m) for m in mutants(ast.parse((ROOT / path).read_text())))


def listed() -> dict[str, str]:
    """Return the mutants that are known to survive, with the reason."""
    groups = tomllib.loads(SURVIVORS.read_text())["group"]
    return {f"{g['module']}: {name}": g["reason"] for g in groups for name in g["mutants"]}


class Mutation:
    """Pytest plugin that first runs the tests without changes, and then runs mutants in forks."""

    def __init__(
        self, paths: Iterable[str], rest: Iterable[str], only: set[str] | None, jobs: int
    ) -> None:
        self.paths, self.only, self.jobs = tuple(paths), only, jobs
        self.rest = tuple(rest)
        self.results: dict[str, str] = {}
        self.calls: defaultdict[str, set[tuple[str, str]]] = defaultdict(set)
        self.current: list[set[tuple[str, str]]] = [set()]
        self.fixtures: defaultdict[object, set[tuple[str, str]]] = defaultdict(set)
        self.seconds: dict[str, float] = {}
        self.failed = ""

    @pytest.hookimpl(hookwrapper=True)
    def pytest_fixture_setup(self, fixturedef: Any) -> Iterator[None]:
        self.current.append(self.fixtures[fixturedef])
        yield
        self.current.pop()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.failed = self.failed or report.nodeid

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        if session.testsfailed:
            raise session.Failed(f"{session.testsfailed} errors while collecting")
        self.items = {item.nodeid: item for item in session.items}
        sys.stderr.write(f"{len(self.items)} tests\n")
        self.calls, self.seconds = self.in_fork(self.without_mutant)
        self.try_all()
        return True

    # -- without a mutant --

    def without_mutant(self) -> tuple[Any, Any]:
        """Record the functions that each test or its fixtures call, and its seconds."""
        targets = {str(ROOT / path): path for path in self.paths}
        places: dict[CodeType, tuple[str, str] | None] = {}

        def called(frame: Any, event: str, arg: object) -> None:
            code = frame.f_code
            if code not in places:
                path = targets.get(code.co_filename)
                places[code] = (path, outermost(code.co_qualname)) if path else None
            place = places[code]
            if place is not None:
                self.current[-1].add(place)

        sys.setprofile(called)
        for id, item, following in in_order(list(self.items.values())):
            forget()
            self.current = [set()]
            start = time.process_time()
            run(item, following)
            self.seconds[id] = time.process_time() - start
            if self.failed:
                raise SystemExit(f"{self.failed} fails without a mutant")
            self.calls[id] = self.current[0]
            for definitions in item._fixtureinfo.name2fixturedefs.values():  # type: ignore[attr-defined]
                for definition in definitions:
                    self.calls[id] = self.calls[id] | self.fixtures[definition]
        sys.setprofile(None)
        return dict(self.calls), self.seconds

    # -- with one --

    def try_all(self) -> None:
        self.running: dict[int, tuple[str, int, str]] = {}
        self.kills: defaultdict[str, int] = defaultdict(int)
        for path in self.paths:
            tree = ast.parse((ROOT / path).read_text())
            for mutant in mutants(tree):
                name = key(path, mutant)
                if self.only is not None and name not in self.only:
                    continue
                while len(self.running) >= self.jobs:
                    self.wait()
                with mutant.planted():
                    self.start(name, path, tree, mutant)
            while self.running:
                self.wait()
        self.keep()

    def start(self, name: str, path: str, tree: ast.Module, mutant: Mutant) -> None:
        place = (path, mutant.function or "")
        ids = [id for id in self.items if place in self.calls[id]]
        ids.sort(key=lambda id: -self.kills[id] / (0.02 + self.seconds[id]))
        if mutant.function and not ids:
            self.results[name] = SURVIVED
            return
        folder = tempfile.mkdtemp(prefix="mutant")
        read, write = os.pipe()
        pid = os.fork()
        if not pid:
            os.close(read)
            limit = int(SECONDS + 2 * sum(self.seconds.values()))
            resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
            resource.setrlimit(resource.RLIMIT_AS, (address_space() + BYTES,) * 2)
            signal.alarm(10 * limit)
            killer = "an error"
            try:
                code = compile(ast.fix_missing_locations(tree), str(ROOT / path), "exec")
                killer = (
                    self.planted(module_name(path), code, mutant.function, ids, folder)
                    if mutant.function
                    else self.anew(module_name(path), code, folder)
                )
            finally:
                os.write(write, killer.encode())
                os._exit(0)
        os.close(write)
        self.running[pid] = (name, read, folder)

    def wait(self) -> None:
        pid, status = os.wait()
        name, read, folder = self.running.pop(pid)
        with os.fdopen(read) as pipe:
            killer = pipe.read() or f"signal {os.waitstatus_to_exitcode(status)}"
        shutil.rmtree(folder, ignore_errors=True)
        self.results[name] = killer
        self.kills[killer] += 1
        self.keep()
        if killer == SURVIVED:
            sys.stderr.write(f"survived: {name}\n")

    def keep(self) -> None:
        RESULTS.parent.mkdir(exist_ok=True)
        RESULTS.write_text(json.dumps(read_results() | self.results, indent=1))

    def planted(
        self, module: str, code: CodeType, function: str, ids: list[str], folder: str
    ) -> str:
        """Change one function and run tests until one fails; return the name of that test."""
        new = code_of(code, function)
        for old in functions(sys.modules[module]):
            same = old.__code__.co_firstlineno == new.co_firstlineno
            if same and old.__qualname__ == function:
                old.__code__ = new
        forget()
        factory = self.items[ids[0]].config._tmp_path_factory  # type: ignore[attr-defined]
        factory._basetemp = Path(folder)
        for id, item, following in in_order([self.items[id] for id in ids]):
            signal.setitimer(signal.ITIMER_PROF, SECONDS + 2 * self.seconds[id])
            run(item, following)
            if self.failed:
                return self.failed
        return SURVIVED

    def anew(self, module: str, code: CodeType, folder: str) -> str:
        """Import opgen with a changed module, and run tests until one fails."""
        sys.meta_path.insert(0, Finder(module, code))
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
        for names in (QUICK, self.rest):
            for name in list(sys.modules):
                if name.split(".")[0] in ("opgen", "tests") and name != __name__:
                    del sys.modules[name]
            seen = Seen()
            args = [*ARGUMENTS, f"--basetemp={folder}/t", *files(names)]
            if names and pytest.main(["-x", *args], plugins=[seen]) != pytest.ExitCode.OK:
                return seen.failed or "collecting"
        return SURVIVED

    def in_fork(self, function: Callable[[], Any]) -> Any:
        """Return the result of `function` from a forked process."""
        read, write = os.pipe()
        pid = os.fork()
        if not pid:
            try:
                with os.fdopen(write, "wb") as pipe:
                    pickle.dump(function(), pipe)
                os._exit(0)
            except BaseException as error:
                sys.stderr.write(f"{error}\n")
                os._exit(1)
        os.close(write)
        with os.fdopen(read, "rb") as pipe:
            data = pipe.read()
        _, status = os.waitpid(pid, 0)
        if status:
            raise SystemExit(1)
        return pickle.loads(data)


class Seen:
    """Pytest plugin that keeps the first failing test."""

    failed = ""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.failed = self.failed or report.nodeid


def in_order(items: list[pytest.Item]) -> Iterator[tuple[str, pytest.Item, pytest.Item | None]]:
    """Yield each item with its name and the following item."""
    for item, following in zip(items, [*items[1:], None]):
        yield item.nodeid, item, following


def run(item: pytest.Item, following: pytest.Item | None) -> None:
    item.ihook.pytest_runtest_protocol(item=item, nextitem=following)


def address_space() -> int:
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    return pages * resource.getpagesize()


def table(results: dict[str, str], known: dict[str, str]) -> str:
    """Return a table with a line for each module: mutants, killed ones, and unlisted survivors."""
    by_module: defaultdict[str, list[str]] = defaultdict(list)
    for name in results:
        by_module[name.partition(": ")[0]].append(name)
    rows = [f"{'module':36} {'mutants':>8} {'killed':>8} {'share':>8} {'unlisted':>9}"]
    for module, names in (*by_module.items(), ("all", list(results))):
        killed = sum(results[name] != SURVIVED for name in names)
        unlisted = sum(results[name] == SURVIVED and name not in known for name in names)
        share = f"{100 * killed / max(len(names), 1):.1f} %"
        rows.append(f"{module:36} {len(names):8} {killed:8} {share:>8} {unlisted:9}")
    return "\n".join(rows)


def read_results() -> dict[str, str]:
    found: dict[str, str] = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description="Mutation testing of the heart of opgen.")
    parser.add_argument("modules", nargs="*", default=MODULES)
    parser.add_argument("--jobs", type=int, default=1)
    some = parser.add_mutually_exclusive_group()
    some.add_argument("--again", action="store_true")
    some.add_argument("--resume", action="store_true")
    parser.add_argument("--quick", action="store_true")
    args = parser.parse_args()
    last = read_results()
    only = None
    if args.again:
        only = {name for name, killer in last.items() if killer == SURVIVED}
    if args.resume:
        only = {*there(args.modules)} - last.keys()
    rest = [] if args.quick else REST
    plugin = Mutation(args.modules, rest, only, args.jobs)
    start = time.monotonic()
    status = pytest.main([*ARGUMENTS, *files([*QUICK, *rest])], plugins=[plugin])
    if status not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
        return 1
    results = read_results()
    known = listed()
    missed = [n for n, k in plugin.results.items() if k == SURVIVED and n not in known]
    print("\n".join(missed))
    print(table({name: results[name] for name in there(args.modules) if name in results}, known))
    print(f"{time.monotonic() - start:.0f} s")
    return bool(missed)


if __name__ == "__main__":
    sys.exit(main())
