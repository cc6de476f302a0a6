"""Measure how long `opgen lint` and `opgen render` take, compared with similar tools."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import redirect_stderr
from importlib.util import find_spec
from io import StringIO
from itertools import count
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from tempfile import TemporaryDirectory
from time import perf_counter

from bench.pairs import write_pairs
from bench.torchgen_pairs import torchgen_commands, write_torchgen_pairs
from bench.wide import wide
from opgen.bench.harness import Claim, Group
from opgen.cli import render as rendering

ROOT = Path(__file__).parents[1]
SPEC = ROOT / "specs" / "rms_norm.toml"
SMALLEST = "from pydantic import BaseModel; M = type('M', (BaseModel,), {'__annotations__': {'x': int}}); M(x=1)"
TARGETS = ("core", "cpp", "torch", "jax", "tests", "docs")
OPGEN = (sys.executable, "-m", "opgen")
# The benchmark writes thousands of files, to memory if possible. A disk would be slower after many
# files were deleted from it.
MEMORY = Path("/dev/shm")
# The memory limit for commands on an op with many conditions.
MEGABYTES = 256
Sample = Callable[[], float]


def groups() -> Iterator[Group]:
    with TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as name:
        folder = Path(name)
        # Let Python cache bytecode, as for an installed package.
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        # opgen keeps its cache in this folder, so no earlier run has filled it.
        os.environ["XDG_CACHE_HOME"] = str(folder / "cache")
        yield _one_file()
        yield _many_files(folder)
        yield _renders(folder)
        yield _wide(folder)


def _one_file() -> Group:
    return Group(
        "opgen lint FILE, from start to end",
        {
            "opgen lint": lambda: _run([*OPGEN, "lint", str(SPEC)]),
            "the smallest pydantic model": lambda: _run([sys.executable, "-c", SMALLEST]),
        },
        [Claim("opgen lint", "the smallest pydantic model", at_most=1.25)],
        rounds=15,
    )


def _many_files(folder: Path) -> Group:
    """Measure the CPU time to lint 1,000 specs, which depends less on the machine's load."""
    write_pairs(1_000, folder / "lint1000")
    thousand = str(folder / "lint1000" / "specs")
    contestants: dict[str, Sample] = {
        "opgen lint, 1,000 specs": _cpu_of([*OPGEN, "lint", thousand])
    }
    claims = [Claim("opgen lint, 1,000 specs", quantity="seconds")]
    schema = folder / "schema.json"
    schema.write_bytes(subprocess.run([*OPGEN, "schema"], check=True, capture_output=True).stdout)
    files = sorted(map(str, Path(thousand).glob("*.toml")))
    others = {
        "check-jsonschema": (["--schemafile", str(schema), *files], None),
        "tombi": (["lint", "--offline", "--quiet", thousand], 8.0),
    }
    for name, (arguments, most) in others.items():
        program = _program(name)
        if program is None:
            print(f"{name} is not installed: not measured")
            continue
        contestants[f"{name}, 1,000 specs"] = _cpu_of([program, *arguments])
        claims.append(Claim("opgen lint, 1,000 specs", f"{name}, 1,000 specs", at_most=most))
    return Group(
        "lint of forward/backward pairs, CPU time", contestants, claims, 3, self_timed=True
    )


def _renders(folder: Path) -> Group:
    project = folder / "pairs500"
    write_pairs(500, project)
    contestants = {
        "opgen, cold": _cold(project),
        "opgen, one spec changed": _changed(project, project / "changed", _command),
        "opgen, one spec changed, warm": _changed(project, project / "warm", _warm),
        "opgen, unchanged": _unchanged(project),
    }
    bounds = {
        "opgen, cold": 1 / 2,
        "opgen, one spec changed": 0.08,
        "opgen, one spec changed, warm": 0.015,
        "opgen, unchanged": 0.03,
    }
    if find_spec("torchgen") is None or find_spec("yaml") is None:
        print("torchgen and PyYAML are not installed: not measured")
        claims = [Claim(name, quantity="seconds") for name in contestants]
    else:
        contestants["torchgen"] = _torchgen(folder / "torchgen500")
        claims = [Claim(name, "torchgen", at_most=most) for name, most in bounds.items()]
    return Group(
        "render of 500 forward/backward pairs, six targets", contestants, claims, 5, self_timed=True
    )


def _wide(folder: Path) -> Group:
    """Measure the CPU time of an op with many conditions. A command fails if it needs too much
    memory.
    """
    project = folder / "wide"
    (project / "specs").mkdir(parents=True)
    (project / "pyproject.toml").write_text("[tool.opgen]\n")
    (project / "specs" / "wide.toml").write_text(wide())
    lint = [*OPGEN, "lint", str(project / "specs")]
    outs = (project / f"out{n}" for n in count())
    contestants = {
        "opgen lint": _cpu_of(_limited(lint)),
        "opgen render": lambda: _cpu_of(_limited(_render(project, next(outs))))(),
    }
    claims = [
        Claim("opgen lint", quantity="seconds", at_most=1.0),
        Claim("opgen render", quantity="seconds", at_most=2.0),
    ]
    title = f"an op of three dozen conditions, in {MEGABYTES} MB, CPU time"
    return Group(title, contestants, claims, 5, self_timed=True)


def _limited(command: Sequence[str]) -> list[str]:
    """Return a command that runs `command` with at most `MEGABYTES` MB of data memory in each
    process.
    """
    return ["sh", "-c", f'ulimit -d {MEGABYTES * 1024} && exec "$@"', "sh", *command]


def _cold(project: Path) -> Sample:
    """Return a function that renders to a new folder, without a record of an earlier render, and
    returns the seconds.
    """
    outs = (project / f"cold{n}" for n in count())
    return lambda: _wall_of([_render(project, next(outs))])


def _changed(project: Path, out: Path, render: Callable[[Path, Path], None]) -> Sample:
    """Return a function that renders after an edit of one spec, and returns the seconds of the
    render.
    """
    spec = project / "specs" / "fused_norm_250.toml"
    text, edits = spec.read_text(), count(1)
    render(project, out)

    def sample() -> float:
        edit = next(edits)
        spec.write_text(
            text.replace("Normalizes", f"Edit {edit} normalizes").replace("1e-5", f"{edit}e-5")
        )
        start = perf_counter()
        try:
            render(project, out)
            return perf_counter() - start
        finally:
            spec.write_text(text)
            render(project, out)

    return sample


def _command(project: Path, out: Path) -> None:
    _run(_render(project, out))


def _warm(project: Path, out: Path) -> None:
    """Render in this process, as `opgen render --watch` does."""
    with redirect_stderr(StringIO()) as said:
        if rendering.render([project / "specs"], out=out, targets=TARGETS):
            raise RuntimeError(said.getvalue())


def _unchanged(project: Path) -> Sample:
    out = project / "unchanged"
    _run(_render(project, out))
    return lambda: _wall_of([_render(project, out)])


def _torchgen(folder: Path) -> Sample:
    write_torchgen_pairs(500, folder)
    outs = (folder / f"out{n}" for n in count())
    return lambda: _wall_of(torchgen_commands(folder, next(outs)))


def _render(project: Path, out: Path) -> list[str]:
    targets = [word for name in TARGETS for word in ("--target", name)]
    return [*OPGEN, "render", str(project / "specs"), "--out", str(out), *targets]


def _program(name: str) -> str | None:
    """Return the path of a program in the folder of this Python, or on PATH; None if it is in
    neither.
    """
    return shutil.which(name, path=str(Path(sys.executable).parent)) or shutil.which(name)


def _run(command: Sequence[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command[:6])}: {done.stdout[-800:]}{done.stderr[-800:]}")


def _wall_of(commands: Sequence[Sequence[str]]) -> float:
    start = perf_counter()
    for command in commands:
        _run(command)
    return perf_counter() - start


def _cpu_of(command: Sequence[str]) -> Sample:
    """Return a function that runs `command` and returns the CPU seconds of its processes."""

    def sample() -> float:
        before = getrusage(RUSAGE_CHILDREN)
        _run(command)
        after = getrusage(RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    return sample
