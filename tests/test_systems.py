"""On systems other than Linux, opgen lints and renders, and refuses to build libraries."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]

# Imports opgen's dependencies on this system, and then simulates the other system for opgen.
PRELUDE = """
import os, sys
import ctypes, fcntl, importlib, jinja2, logging, shutil, subprocess, tempfile
import ruff, sysconfig, tomli, types, urllib.parse, uuid
sysconfig.get_config_vars()
sys.path.insert(0, {root!r})
sys.platform = {system!r}
for name in ("sched_getaffinity", *({lacks!r})):
    delattr(os, name)
if sys.platform == "win32":
    msvcrt = sys.modules["msvcrt"] = types.ModuleType("msvcrt")
    msvcrt.LK_NBLCK, msvcrt.LK_UNLCK = fcntl.LOCK_EX | fcntl.LOCK_NB, fcntl.LOCK_UN
    msvcrt.locking = lambda descriptor, mode, bytes: fcntl.lockf(descriptor, mode)
    sys.modules["fcntl"] = None
"""
WINDOWS = ("fork", "geteuid", "O_DIRECTORY", "O_NOFOLLOW", "O_NONBLOCK", "chown", "getuid")
SYSTEMS = {"darwin": (), "win32": WINDOWS}


@pytest.fixture(params=SYSTEMS)
def system(request: pytest.FixtureRequest) -> str:
    return request.param


def start(system: str, program: str, folder: Path) -> subprocess.Popen[str]:
    prelude = PRELUDE.format(root=str(ROOT), system=system, lacks=SYSTEMS[system])
    environment = {**os.environ, "XDG_CACHE_HOME": str(folder / "cache")}
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    command = [sys.executable, "-c", prelude + program]
    return subprocess.Popen(command, cwd=folder, env=environment, text=True, **pipes)


def run(system: str, program: str, folder: Path) -> tuple[int, str, str]:
    """Return the exit code, stdout and stderr."""
    process = start(system, program, folder)
    out, err = process.communicate()
    return process.returncode, out, err


def opgen(system: str, folder: Path, *arguments: str) -> tuple[int, str, str]:
    program = f"from opgen.cli.main import main\nsys.exit(main({list(arguments)!r}))"
    return run(system, program, folder)


@pytest.fixture
def project(tmp_path: Path, system: str) -> Path:
    code, _, said = opgen(system, tmp_path, "init", "acme_ops")
    assert code == 0, said
    return tmp_path


def files(folder: Path) -> dict[str, bytes]:
    found = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}


def test_specs_are_linted_and_rendered(system: str, project: Path) -> None:
    for arguments in (["lint"], ["render"], ["render"], ["render", "--check"]):
        code, _, said = opgen(system, project, *arguments)
        assert code == 0, said
    there = files(project / "acme_ops")
    here = [sys.executable, "-m", "opgen", "render", "--out", "here"]
    path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
    subprocess.run(here, cwd=project, env={**os.environ, "PYTHONPATH": path}, check=True)
    assert there == files(project / "here")
    assert len(there) > 50


HOLDS = """
from pathlib import Path
from opgen.source.lock import locked
with locked(Path(), lambda: print("waits", flush=True)):
    print("holds", flush=True)
    sys.stdin.read()
"""


def test_one_process_at_a_time(system: str, tmp_path: Path) -> None:
    first = start(system, HOLDS, tmp_path)
    assert first.stdout is not None and first.stdout.readline() == "holds\n"
    second = start(system, HOLDS, tmp_path)
    assert second.stdout is not None and second.stdout.readline() == "waits\n"
    first.communicate()
    assert second.stdout.readline() == "holds\n"
    _, said = second.communicate()
    assert {first.returncode, second.returncode} == {0}, said
    assert not list(tmp_path.iterdir())


def test_libraries_are_refused(system: str, project: Path) -> None:
    opgen(system, project, "render")
    code, _, said = opgen(system, project, "build")
    assert code == 2
    assert said.splitlines()[-1] == (
        f"opgen: libraries are built on Linux, and this is {system}: "
        "here specs are linted and rendered"
    )
    program = "from acme_ops._opgen.core.libraries import refuse_system\nrefuse_system()"
    _, _, said = run(system, f"sys.path.insert(0, '')\n{program}", project)
    assert said.endswith(f"ImportError: acme_ops runs its ops on Linux, and this is {system}\n")
