"""The record that opgen keeps of a render saves work and never changes the output."""

from __future__ import annotations

import hashlib
import json
import os
import pickle
import re
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields
from pathlib import Path
from random import Random

import pytest

import opgen
from opgen.build import cmake as build
from opgen.build.frameworks import Frameworks
from opgen.build.loading import LoadError, load
from opgen.cli.main import main
from opgen.output import cache, reader, render
from opgen.output import compile as pipeline
from opgen.output import parallel as fork
from opgen.source.user_cache import cache_folder
from opgen.spec.config import Config

ROOT = Path(__file__).parent.parent


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = tmp_path / "project"
    (folder / "specs").mkdir(parents=True)
    for name in ("relu.toml", "relu.py"):
        shutil.copy(ROOT / "specs" / name, folder / "specs")
    shutil.copytree(ROOT / "runtime" / "kernels" / "relu", folder / "kernels" / "relu")
    (folder / "pyproject.toml").write_text("[tool.opgen]\n")
    monkeypatch.chdir(folder)
    assert main(["render", "--target", "core"]) == 0
    return folder


@pytest.fixture
def rendered(monkeypatch: pytest.MonkeyPatch) -> Callable[..., bool]:
    """Return a function that tells whether a command line renders anything."""
    real, calls = pipeline.compile, []
    monkeypatch.setattr(pipeline, "compile", lambda *a: calls.append(a) or real(*a))

    def run(*args: str) -> bool:
        calls.clear()
        main(["render", "--target", "core", *args])
        return bool(calls)

    return run


def test_nothing_changed(project: Path, rendered: Callable[..., bool]) -> None:
    assert not rendered()
    assert not rendered("--check")
    assert rendered("--no-cache")
    assert rendered("--target", "cpp")
    assert rendered("--out", "elsewhere")


def append(path: str, text: str = "\n") -> Callable[[Path], None]:
    def change(project: Path) -> None:
        with open(project / path, "a") as file:
            file.write(text)

    return change


@pytest.mark.parametrize(
    "change",
    [
        append("specs/relu.toml"),
        append("specs/relu.py"),
        append("pyproject.toml", 'namespace = "mine"\n'),
        append("generated/core/_relu.py", "# mine\n"),
        append("generated/MANIFEST"),
        lambda project: (project / "generated" / "core" / "_relu.py").unlink(),
        lambda project: (project / "specs" / "relu.toml").rename("specs/act.toml"),
        lambda project: (project / "kernels" / "relu" / "relu.cpp").touch(),
    ],
)
def test_anything_changed(
    project: Path, rendered: Callable[..., bool], change: Callable[[Path], None]
) -> None:
    change(project)
    assert rendered()


def test_a_file_edited_by_hand_stays_reported(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    append("generated/core/_relu.py", "# mine\n")(project)
    for _ in range(2):
        assert main(["render", "--target", "core"]) == 1
        assert "edited by hand" in capsys.readouterr().out


def test_a_check_reads_what_time_and_size_hide(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`render --check` finds an edit that changes neither the file's size nor its time."""
    path = project / "generated/core/_relu.py"
    info = path.stat()
    data = path.read_bytes()
    with path.open("r+b") as file:
        file.write(b"#" + data[1:])
    os.utime(path, ns=(info.st_atime_ns, info.st_mtime_ns))
    assert path.stat()[:2] == info[:2] and path.stat().st_mtime_ns == info.st_mtime_ns
    assert main(["render", "--target", "core", "--check"]) == 1
    assert "edited: generated/core/_relu.py" in capsys.readouterr().out
    assert main(["render", "--target", "core", "--force"]) == 0
    assert path.read_bytes() == data
    assert main(["render", "--target", "core", "--check"]) == 0


def test_crlf_is_named_once(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """CRLF line ends are reported once, for the package and for its sources.

    Git writes such line ends if `core.autocrlf` is set.
    """
    for path in (*project.rglob("*.py"), *project.rglob("*.toml")):
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert main(["render", "--target", "core", "--check"]) == 1
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith("converted: the lines of generated/") and "end in CRLF" in line
    assert "`generated/** -text` in .gitattributes" in line
    assert main(["render", "--target", "core"]) == 0
    assert "end in CRLF" in capsys.readouterr().err
    assert main(["render", "--target", "core", "--check"]) == 0


def test_a_package_of_a_newer_opgen_is_left_alone(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = project / "generated/MANIFEST"
    text = path.read_text()
    first = text.splitlines()[0]
    assert first == f"# Rendered by opgen {opgen.__version__}"
    for version, refused in (("99.0", True), ("0.0.1", False), ("next", False)):
        path.write_text(text.replace(first, f"# Rendered by opgen {version}"))
        for command in (["render"], ["render", "--check"], ["eject", "relu"]):
            before = path.read_text()
            code = main(command)
            said = capsys.readouterr().err
            assert (f"rendered by opgen {version}, and this is opgen" in said) is refused
            if refused:
                assert code == 2 and path.read_text() == before


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ('">=99"', "the project asks for opgen >=99, and this is opgen"),
        ('"<0.1"', "the project asks for opgen <0.1, and this is opgen"),
        ('"newest"', 'expected versions of opgen such as ">=0.2,<0.3"'),
        ("1", 'expected versions of opgen such as ">=0.2,<0.3"'),
        ('">=0.1"', None),
    ],
)
@pytest.mark.parametrize("command", ["lint", "render", "build"])
def test_a_project_names_the_version_that_it_needs(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    command: str,
    asked: str,
    says: str | None,
) -> None:
    """If a project requires another version of opgen, only this is reported, not unknown keys."""
    text = f"[tool.opgen]\na_newer_key = 1\nrequired-version = {asked}\n"
    (tmp_path / "pyproject.toml").write_text(text)
    monkeypatch.chdir(tmp_path)
    assert main([command]) == 2
    said = capsys.readouterr().out
    assert ("pyproject.toml:3:" in said and says in said) if says else "a_newer_key" in said
    assert says is None or "a_newer_key` " not in said


def test_a_record_that_makes_no_sense_is_left_alone(
    project: Path, rendered: Callable[..., bool]
) -> None:
    (record,) = (project.parent / "cache" / "opgen").glob("*.record")
    for text in ("", "[]", "{", '{"key": 1}', "\ud800"):
        record.write_bytes(text.encode(errors="surrogatepass"))
        assert rendered()
    shutil.rmtree(record.parent)
    record.parent.write_text("a file where the folder was")
    assert rendered() and rendered()


def records(project: Path) -> list[Path]:
    return list((project.parent / "cache" / "opgen").glob("*.record"))


class Hostile:
    """Runs a program when it is unpickled."""

    def __reduce__(self) -> tuple:
        return os.mkdir, ("run",)


def test_what_is_read_from_the_cache_is_data(project: Path, rendered: Callable[..., bool]) -> None:
    (record,) = records(project)
    data = pickle.dumps(Hostile())
    for seal in (b"", bytes(32), hashlib.sha256(data).digest()):
        record.write_bytes(seal + data)
        assert rendered()
        assert not Path("run").exists()


def test_nothing_of_opgen_keeps_code() -> None:
    """opgen stores no pickles. It only sends them through a pipe between its own processes."""
    users = {
        path.name
        for path in Path(cache.__file__).parent.rglob("*.py")
        if re.search(r"\b(pickle|marshal|shelve|BytecodeCache)\b", path.read_text())
    }
    assert users == {"parallel.py"}


def test_the_folder_is_the_users_alone(project: Path) -> None:
    folder = project.parent / "cache" / "opgen"
    assert folder.stat().st_mode & 0o777 == 0o700
    folder.chmod(0o755)  # with the permissions that other programs give to new folders
    assert cache_folder() == folder
    assert folder.stat().st_mode & 0o777 == 0o700


def shared(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder.chmod(0o777)


def foreign(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: folder.stat().st_uid + 1)


def linked(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace `folder` by a link to a folder that other users may write to."""
    elsewhere = folder.with_name("elsewhere")
    folder.rename(elsewhere)
    elsewhere.chmod(0o777)
    folder.symlink_to(elsewhere)


@pytest.mark.parametrize("spoil", [shared, foreign, linked])
def test_a_folder_that_others_may_write_to_is_not_used(
    project: Path,
    rendered: Callable[..., bool],
    monkeypatch: pytest.MonkeyPatch,
    spoil: Callable[[Path, pytest.MonkeyPatch], None],
) -> None:
    assert not rendered()
    spoil(project.parent / "cache" / "opgen", monkeypatch)
    (record,) = records(project)
    before = record.read_bytes()
    assert cache_folder() is None
    assert rendered() and rendered()
    assert records(project) == [record] and record.read_bytes() == before
    with pytest.raises(LoadError, match="pass a `build_directory`"):
        load("mine", specs="specs", kernels=".")
    options = build.configure(Config(project), project, project, no_frameworks(), (), None)
    assert "-DOPGEN_CACHE=" in options


def no_frameworks() -> Frameworks:
    return Frameworks(*[""] * len(fields(Frameworks)))


@pytest.mark.parametrize("base", ["", "relative/cache", None])
def test_the_cache_is_where_xdg_says(
    base: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    if base is None:
        monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    else:
        monkeypatch.setenv("XDG_CACHE_HOME", base)
    assert cache_folder() == tmp_path / "home/.cache/opgen"
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "there"))
    assert cache_folder() == tmp_path / "there/opgen"
    monkeypatch.setenv("XDG_CACHE_HOME", "/dev/null/there")
    assert cache_folder() is None


def test_a_process_reads_a_record_once(
    project: Path, rendered: Callable[..., bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process reads a record that it has stored only if another process has replaced it."""
    real, parsed = cache._parsed, []
    monkeypatch.setattr(cache, "_parsed", lambda text: parsed.append(text) or real(text))
    append("specs/relu.toml", "# A comment.\n")(project)
    assert rendered() and not rendered() and not parsed
    (record,) = records(project)
    text = record.read_text()
    record.write_text(text)
    assert not rendered() and parsed == [text]


def test_a_file_is_read_once_after_its_time_changed(
    project: Path, rendered: Callable[..., bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    real, read = cache.Inputs.hash, []
    monkeypatch.setattr(cache.Inputs, "hash", lambda *args: read.append(args) or real(*args))
    (project / "specs/relu.py").touch()
    assert not rendered() and not rendered() and len(read) == 1


def test_old_records_go(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "MOST_RECORDS", 2)
    for n in range(4):
        main(["render", "--target", "core", "--out", f"out{n}"])
    assert len(list((project.parent / "cache" / "opgen").glob("*.record"))) == 2


def test_outside_targets_are_rendered_always(
    project: Path, rendered: Callable[..., bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    def outside(project: object, targets: Sequence[str]) -> Iterator[tuple[str, render.File]]:
        return ((name, render.OutputFile(f"{name}/x", "")) for name in targets if name == "cobol")

    monkeypatch.setattr(pipeline, "outside_files", outside)
    assert rendered("--target", "cobol") and rendered("--target", "cobol")


# --- several specs

FORWARD = """spec = 1
[dtypes]
T = ["f32", "f64"]
[ops.{name}]
doc = "Forward."
reference = "{name}.py:{name}"
inputs.x = {{ dtype = "T", shape = "n" }}
outputs.y = {{ dtype = "T", shape = "n" }}
attrs.scale = {{ type = "float", default = 1.0 }}
grad.backward = "{name}_bwd"
sharding.split = ["n"]
kernels = ["cpu"]
"""
BACKWARD = """spec = 1
[dtypes]
T = ["f32", "f64"]
[ops.{name}_bwd]
doc = "Backward."
inputs.dy = {{ dtype = "T", shape = "n" }}
outputs.dx = {{ dtype = "T", shape = "n" }}
attrs.scale = {{ type = "float", default = 1.0 }}
grad = "none"
sharding.split = ["n"]
kernels = ["cpu"]
"""
REFERENCE = "def {name}(xp, x, *, scale):\n    return x * scale\n"
NAMES = ("add", "bend", "cut")


@pytest.fixture
def several(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Create a project of three ops whose backward ops are in separate files."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = tmp_path / "project"
    (folder / "specs").mkdir(parents=True)
    (folder / "pyproject.toml").write_text("[tool.opgen]\n")
    for name in NAMES:
        (folder / f"specs/{name}.toml").write_text(FORWARD.format(name=name))
        (folder / f"specs/{name}_bwd.toml").write_text(BACKWARD.format(name=name))
        (folder / f"specs/{name}.py").write_text(REFERENCE.format(name=name))
        (folder / f"kernels/{name}").mkdir(parents=True)
    monkeypatch.chdir(folder)
    assert main(["render"]) == 0
    return folder


def replaced(path: str, old: str, new: str) -> Callable[[], None]:
    def change() -> None:
        if Path(path).exists():
            text = Path(path).read_text()
            Path(path).write_text(text.replace(old, new))

    return change


def swapped(one: str, other: str) -> Callable[[], None]:
    def change() -> None:
        if Path(one).exists():
            Path(one).rename(other)

    return change


def touched(path: str) -> Callable[[], None]:
    def change() -> None:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        Path(path).touch()

    return change


def removed(path: str) -> Callable[[], None]:
    return lambda: Path(path).unlink(missing_ok=True)


EDITS = [
    replaced("specs/add.toml", "Forward.", "Other words."),
    replaced("specs/add.toml", "Other words.", "Forward."),
    replaced("specs/cut_bwd.toml", '"n"', '"m"'),
    replaced("specs/cut_bwd.toml", "[ops.cut_bwd]", "[ops.trim_bwd]"),
    replaced("specs/cut_bwd.toml", "[ops.trim_bwd]", "[ops.cut_bwd]"),
    replaced("specs/bend_bwd.toml", "[ops.bend_bwd]", "[ops.add]"),
    replaced("specs/bend_bwd.toml", "[ops.add]", "[ops.bend_bwd]"),
    replaced("specs/bend.toml", '["f32", "f64"]', '["f32"]'),
    replaced("specs/bend.toml", "1.0", '"one"'),
    replaced("specs/bend.toml", '"one"', "1.0"),
    replaced("specs/bend.toml", "backward", "backwards"),
    replaced("specs/bend.toml", "backwards", "backward"),
    replaced("specs/bend.toml", '= ["cpu"]', '= { cpu = "cut" }'),
    replaced("specs/bend.toml", '= { cpu = "cut" }', '= ["cpu"]'),
    replaced("specs/add.py", "x * scale", "scale * x"),
    replaced("specs/add.py", "def add(", "def plus("),
    replaced("specs/add.py", "def plus(", "def add("),
    replaced("pyproject.toml", "[tool.opgen]\n", '[tool.opgen]\nnamespace = "mine"\n'),
    replaced("generated/core/_add.py", "Forward", "Mine"),
    replaced("generated/jax/__init__.py", "ops", "own ops"),
    swapped("specs/cut.toml", "specs/trim.toml"),
    swapped("specs/trim.toml", "specs/cut.toml"),
    touched("kernels/add/add.cpp"),
    touched("kernels/cut/cut.cu"),
    removed("kernels/add/add.cpp"),
    removed("generated/torch/_cut.py"),
    removed("generated/MANIFEST"),
    removed("specs/bend_bwd.toml"),
]


def outcome(capsys: pytest.CaptureFixture[str], *args: str) -> tuple[int, str]:
    code = main(["render", *args])
    return code, capsys.readouterr().out


def tree(folder: Path) -> dict[str, bytes]:
    files = (file for file in folder.rglob("*") if file.is_file())
    return {str(file.relative_to(folder)): file.read_bytes() for file in files}


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("processes", [1, 3])
def test_a_record_never_changes_what_comes_out(
    several: Path,
    seed: int,
    processes: int,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """After any edits, a render that uses the record of an earlier one gives the same output."""
    monkeypatch.setattr(fork, "processors", lambda: processes)
    monkeypatch.setattr(pipeline, "SPECS_PER_PROCESS", 1)
    random = Random(seed)
    shutil.copytree("specs", "../sound")
    capsys.readouterr()
    for _ in range(12):
        if random.random() < 0.5:
            shutil.rmtree("specs")
            shutil.copytree("../sound", "specs")
        for edit in random.sample(EDITS, random.randint(1, 2)):
            edit()
        shutil.rmtree("../other", ignore_errors=True)
        shutil.copytree("generated", "../other")
        if random.random() < 0.5:
            monkeypatch.setattr(cache.Cache, "last", None)  # as in a new process
        force = random.choice([[], ["--force"]])
        code, said = outcome(capsys, *force)
        expected = outcome(capsys, *force, "--no-cache", "--out", "../other")
        assert (code, said.replace("generated/", "../other/")) == expected
        assert tree(Path("generated")) == tree(Path("../other"))


def test_only_what_is_tied_to_a_change_is_looked_at(
    several: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, parsed = reader.parse_spec, []
    monkeypatch.setattr(reader, "parse_spec", lambda s: parsed.append(s.path) or real(s))
    EDITS[0]()
    assert main(["render"]) == 0
    assert sorted(parsed) == ["specs/add.toml", "specs/add_bwd.toml"]
    parsed.clear()
    Path("generated/torch/_cut.py").unlink()
    assert main(["render"]) == 0
    assert sorted(parsed) == ["specs/cut.toml", "specs/cut_bwd.toml"]
    assert Path("generated/torch/_cut.py").is_file()


def test_an_edited_file_is_found_next_to_a_changed_spec(
    several: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The render first trusts the other rendered files, and then renders only the edited one."""
    real, parsed = reader.parse_spec, set()
    monkeypatch.setattr(reader, "parse_spec", lambda s: parsed.add(s.path) or real(s))
    EDITS[0]()
    append("generated/core/_cut.py", "# mine\n")(several)
    assert main(["render"]) == 1
    assert "core/_cut.py: edited by hand and kept" in capsys.readouterr().out
    assert parsed == {f"specs/{name}.toml" for name in ("add", "add_bwd", "cut", "cut_bwd")}


@pytest.mark.parametrize("record", [True, False])
def test_a_mistake_is_looked_at_once(
    several: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    record: bool,
) -> None:
    """A spec with a mistake is read and linted once.

    Other specs that are valid by the record are not read, but their ops are still suggested.
    """
    parse, lint, read = reader.parse_spec, pipeline.findings, []
    monkeypatch.setattr(reader, "parse_spec", lambda s: read.append(s.path) or parse(s))
    monkeypatch.setattr(
        pipeline, "findings", lambda specs, *a: read.append(len(specs)) or lint(specs, *a)
    )
    spec = Path("specs/cut.toml")
    spec.write_text(spec.read_text().replace('"cut_bwd"', '"add_bwdd"'))
    assert main(["render", *([] if record else ["--no-cache"])]) == 1
    assert "did you mean `add_bwd`?" in capsys.readouterr().out
    paths = sorted(map(str, Path("specs").glob("*.toml")))
    if record:
        paths = ["specs/cut.toml", "specs/cut_bwd.toml"]
    assert sorted(read[:-1]) == paths and read[-1] == len(paths)


def test_a_summary_that_is_no_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A target may need whole families instead of their recorded summaries.

    The target for Neuron is an example: its families are read again with any change.
    """
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = tmp_path / "project"
    (folder / "specs").mkdir(parents=True)
    (folder / "pyproject.toml").write_text("[tool.opgen]\n")
    for name in ("relu", "tensor_negate", "dropout"):
        for suffix in (".toml", ".py"):
            shutil.copy(ROOT / "specs" / f"{name}{suffix}", folder / "specs")
        kernels = ROOT / "runtime/kernels" / name
        shutil.copytree(kernels, folder / "kernels" / name)
    monkeypatch.chdir(folder)
    assert main(["render"]) == 0
    (record,) = records(folder)
    _, *parts = record.read_text().splitlines()
    assert [json.loads(part)[-1] is None for part in parts].count(True) == 2
    append("specs/dropout.toml", "# A comment.\n")(folder)
    assert main(["render"]) == 0
    before = tree(Path("generated"))
    assert any(path.startswith("neuron/") for path in before)
    assert main(["render", "--no-cache", "--check"]) == 0
    assert tree(Path("generated")) == before


def test_a_file_that_changes_under_a_render(
    several: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    real = pipeline.compile

    def meddling(*args: object) -> object:
        found = real(*args)
        append("generated/core/_cut.py", "# mine\n")(several)
        return found

    EDITS[0]()
    monkeypatch.setattr(pipeline, "compile", meddling)
    assert main(["render"]) == 1
    assert "core/_cut.py: edited by hand and kept" in capsys.readouterr().out


def test_a_process_that_fails_is_made_up_for() -> None:
    parent = os.getpid()

    def work(n: int) -> int:
        if os.getpid() != parent and n == 1:
            raise ValueError
        return n * n

    assert fork.fork_map(work, [0, 1, 2]) == [0, 1, 4]


def children() -> str:
    """Return the ids of this process's children. Other tests may have left some."""
    return Path(f"/proc/self/task/{os.getpid()}/children").read_text()


@pytest.mark.parametrize("fails", ["first", "then", "dies", ""])
def test_processes_exchange_a_value(fails: str) -> None:
    parent, before = os.getpid(), children()

    def work(n: int) -> fork.Steps[int, tuple[bool, list[int]]]:
        there = n == 1 and os.getpid() != parent
        if there and fails == "first":
            raise ValueError
        values = yield 10 * n
        if there and fails == "then":
            raise ValueError
        if there and fails == "dies":
            os.kill(os.getpid(), 9)
        return os.getpid() == parent, [n, *values]

    found = fork.fork_together(work, [0, 1, 2])
    assert [values for _, values in found] == [[n, 0, 10, 20] for n in range(3)]
    assert [here for here, _ in found] == [True, bool(fails), False]
    assert children() == before
