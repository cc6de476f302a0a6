"""Files after a kill, on a full disk, after a signal or a move; the next run repairs them."""

from __future__ import annotations

import shutil
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.killing import Runner

INIT = "main(['init', 'acme_ops', '--ci'])"
NEW = "main(['new', 'row', '--like', 'norm'])"
RENDER = "main(['render'])"


def texts(folder: Path) -> dict[str, bytes]:
    """Return the texts of the files in a folder, without temporary files."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in files
        if ".opgen" not in path.parts and not any(part.endswith(".new") for part in path.parts)
    }


@pytest.fixture(scope="module")
def runner(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Runner]:
    folder = tmp_path_factory.mktemp("killed")
    (folder / "work").mkdir()
    found = Runner(folder / "work", folder / "cache")
    yield found
    found.close()


def fresh(runner: Runner, before: Path | None = None) -> None:
    """Reset the folder to empty or to `before`.

    The folder itself stays, because processes of the runner use it.
    """
    for path in runner.folder.iterdir():
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    if before is not None:
        shutil.copytree(before, runner.folder, dirs_exist_ok=True)


@pytest.fixture(scope="module")
def states(runner: Runner, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path | None]:
    """Return the contents of the folder before each command."""
    found: dict[str, Path | None] = {"nothing": None}

    def keep(name: str) -> None:
        found[name] = tmp_path_factory.mktemp("state") / "project"
        shutil.copytree(runner.folder, found[name])

    fresh(runner)
    (runner.folder / "scale.cpp").write_text(CPP)
    assert runner.run(INIT).code == 0
    keep("a project")
    assert runner.run(NEW).code == runner.run(RENDER).code == 0
    keep("rendered")
    # The next render changes some files, removes some and adds some.
    for path in ("specs/row.toml", "specs/row.py", "kernels/row/row.cpp"):
        (runner.folder / path).unlink()
    spec = runner.folder / "specs/scaled_square.toml"
    spec.write_text(spec.read_text().replace("default = 1.0", "default = 2.0"))
    assert runner.run("main(['new', 'other'])").code == 0
    keep("stale")
    shutil.rmtree(runner.folder / "kernels")
    keep("no kernels")
    return found


CPP = "void scale(const float* x, float* y, int64_t n, float by) {}\n"
IMPORT = "main(['import', 'cpp', 'scale.cpp:scale'])"
SCAFFOLD = "main(['scaffold'])"
EJECT = "main(['eject', 'row'])"
COMMANDS = {
    INIT: "nothing",
    NEW: "a project",
    IMPORT: "a project",
    SCAFFOLD: "no kernels",
    RENDER: "stale",
    EJECT: "rendered",
}
# Commands that change a package: each file is always whole, but files may be of different times.
IN_PLACE = ("render", "eject")


def commands(*often: str) -> pytest.MarkDecorator:
    """Run a test for each command. A commit runs it only for the commands `often`."""
    slow = [pytest.param(each, marks=pytest.mark.slow) for each in COMMANDS if each not in often]
    return pytest.mark.parametrize("command", [*often, *slow], indirect=True)


# A commit only kills. A full disk stops at the same writes.
one_way = pytest.mark.parametrize("how", ["kill", pytest.param("refuse", marks=pytest.mark.slow)])


@pytest.fixture
def command(
    request: pytest.FixtureRequest, runner: Runner, states: dict[str, Path | None]
) -> tuple[str, Callable[[], None]]:
    before = states[COMMANDS[request.param]]

    def begin() -> None:
        fresh(runner, before)
        (runner.folder / "scale.cpp").write_text(CPP)

    return request.param, begin


@commands(NEW, IMPORT, SCAFFOLD, RENDER)
def test_a_kill_heals(runner: Runner, command: tuple[str, Callable[[], None]]) -> None:
    """Running a killed command again completes its work; each file is the old or the new one."""
    code, begin = command
    begin()
    before = texts(runner.folder)
    assert runner.run(code).code == 0
    whole = texts(runner.folder)
    for n, run in enumerate(runner.hits(code, "kill", begin)):
        assert run.code == -signal.SIGKILL
        if n % 3 == 0:  # killed again, before it is repaired
            runner.run(code, len(run.writes) // 2, "kill")
        for path, text in texts(runner.folder).items():
            assert text in (before.get(path), whole.get(path)), (path, run)
        again = runner.run(code)
        # The kill may have come after the last write.
        assert again.code == 0 or "already" in again.said, (run, again)
        assert texts(runner.folder) == whole, run


@commands(INIT, RENDER, EJECT)
def test_a_full_disk_is_named(runner: Runner, command: tuple[str, Callable[[], None]]) -> None:
    """A full disk is reported, and no file is written in part."""
    code, begin = command
    begin()
    before = texts(runner.folder)
    for run in runner.hits(code, "refuse", begin):
        assert run.code == 2 and "No space left on device" in run.said, run
        assert "bug" not in run.said and "Traceback" not in run.said
        if not any(word in code for word in IN_PLACE):
            assert texts(runner.folder) == before, run
        again = runner.run(code)
        assert again.code == 0 or "already" in again.said, (run, again)


def test_that_nothing_is_hit_is_found(runner: Runner, states: dict[str, Path | None]) -> None:
    """A test of killed runs fails if no write was hit."""
    with pytest.raises(AssertionError, match="nothing was hit"):
        [*runner.hits("main(['lint'])", "kill", lambda: fresh(runner, states["a project"]))]


@pytest.mark.parametrize("code", ["ENOSYS", "EOPNOTSUPP", "ENOLCK"])
def test_a_file_system_without_locks(runner: Runner, code: str) -> None:
    """On a file system without locks opgen still works, and reports the missing locks once."""
    fresh(runner)
    (runner.folder / "acme_ops").mkdir()
    run = runner.run(f"without_locks(errno.{code}, [Path('acme_ops'), Path()])")
    assert run.code == 0, run.said
    said = "the file system of acme_ops has no locks: run one opgen at a time in it"
    assert run.said.count(said) == 1


BUILD = "build()"
CMAKE = """
cmake_minimum_required(VERSION 3.26)
project(small LANGUAGES CXX)
add_library(small SHARED small.cpp)
add_library(other SHARED small.cpp)
install(TARGETS small other LIBRARY DESTINATION .)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="libraries are built on Linux")
@one_way
def test_a_build(runner: Runner, how: str, tmp_path: Path) -> None:
    """After a failed build, the next build creates all libraries and leaves no temporary file."""
    fresh(runner)
    (runner.folder / "generated").mkdir()
    (runner.folder / "generated/CMakeLists.txt").write_text(CMAKE)
    source = runner.folder / "generated/small.cpp"
    source.write_text("int answer() { return 41; }\n")
    assert runner.run(BUILD).code == 0
    before = tmp_path / "before"
    shutil.copytree(runner.folder, before, symlinks=True)

    def begin() -> None:
        fresh(runner, before)
        source.write_text("int answer() { return 42; }\n")

    begin()
    lib = runner.folder / "generated/lib"
    old, whole = texts(lib), None
    for run in runner.hits(BUILD, how, begin):
        # A temporary file that cannot be removed does no harm.
        assert how == "kill" or run.code == 0 or "No space left on device" in run.said
        found = texts(lib)
        if how == "refuse":  # either all libraries or none
            assert found == old or whole is None or found == whole
        assert runner.run(BUILD).code == 0
        whole = whole or texts(lib)
        assert texts(lib) == whole != old, run
        assert not [*lib.rglob(".*")]


@one_way
def test_a_folder_for_the_hub(runner: Runner, how: str) -> None:
    """A folder for the Hub, a wheel, and a table of tuned values each appear only when complete."""
    pytest.importorskip("tomlkit", reason="opgen[package] is not installed")
    for code in ("variant()", "placed()", "tuned()"):
        fresh(runner)
        assert runner.run(code).code == 0
        whole = texts(runner.folder)
        for run in runner.hits(code, how, lambda: fresh(runner)):
            assert all(text == whole.get(path) for path, text in texts(runner.folder).items()), run
            assert runner.run(code).code == 0
            assert texts(runner.folder) == whole
            assert not [*runner.folder.rglob(".*")], run
