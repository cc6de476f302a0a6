"""opgen as users have it: installed from its wheel, in a project outside this repository."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from dataclasses import dataclass
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

CHECKOUT = Path(__file__).parents[2]
PROJECT = Path(__file__).parent / "project"
# Ops that `opgen new` creates next to the first one, by kind.
BEGUN = {"reduction": "sum_of_squares", "norm": "row_norm", "inplace": "add_scaled_"}
# Runs a program in a process where `import opgen` fails, wherever opgen is installed.
WITHOUT_OPGEN = """
import runpy, sys
sys.modules["opgen"] = None
runpy.run_path(sys.argv[1], run_name="__main__")
"""


@dataclass(frozen=True)
class Installed:
    """An installation of opgen in a separate folder, which precedes the checkout on the path."""

    folder: Path

    def run(self, *command: str, cwd: Path) -> str:
        """Return a command's output. The test fails with the whole output if the command fails."""
        environment = {
            **os.environ,
            "PYTHONPATH": str(self.folder),
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        }
        done = subprocess.run(
            command, cwd=cwd, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
        return done.stdout

    def opgen(self, *arguments: str, cwd: Path) -> str:
        script = str(self.folder / "bin" / "opgen")
        return self.run(sys.executable, script, *arguments, cwd=cwd)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-index"]
        + ["--no-build-isolation", "--wheel-dir", str(folder), str(CHECKOUT)],
        check=True,
    )
    (path,) = folder.glob("opgen-*.whl")
    return path


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    folder = tmp_path_factory.mktemp("installed")
    subprocess.run(
        [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index"]
        + ["--target", str(folder), str(wheel)],
        check=True,
    )
    return Installed(folder)


@pytest.fixture(scope="module")
def project(installed: Installed, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Create a project with an op of every kind of `opgen new`; lint, render and build it."""
    folder = tmp_path_factory.mktemp("outside") / "acme"
    shutil.copytree(PROJECT, folder)
    for kind, op in BEGUN.items():
        installed.opgen("new", op, "--like", kind, cwd=folder)
    installed.opgen("lint", "specs/", cwd=folder)
    installed.opgen("render", "specs/", cwd=folder)
    installed.opgen("build", cwd=folder)
    return folder


def test_wheel_holds_what_renders_and_builds(wheel: Path) -> None:
    held = set(zipfile.ZipFile(wheel).namelist())
    runtime = CHECKOUT / "runtime"
    headers = {
        f"opgen/_runtime/{file.relative_to(runtime).as_posix()}"
        for part in ("include", "adapters", "cmake")
        for file in (runtime / part).rglob("*")
        if file.is_file()
    }
    sources = {
        file.relative_to(CHECKOUT).as_posix()
        for kind in ("*.py", "*.j2")
        for file in (CHECKOUT / "opgen").rglob(kind)
    }
    assert headers and sources
    assert headers | sources <= held
    assert not [name for name in held if name.startswith(("tests", "bench", "generated"))]


def test_runs_from_the_wheel(installed: Installed, tmp_path: Path) -> None:
    """The code and the headers are those of the installed wheel, not those of the checkout."""
    program = "import opgen; print(opgen.__file__)"
    file = installed.run(sys.executable, "-c", program, cwd=tmp_path).strip()
    assert Path(file).is_relative_to(installed.folder)
    for command in ("include-dir", "cmake-dir"):
        folder = installed.opgen(command, cwd=tmp_path).strip()
        assert Path(folder).is_relative_to(installed.folder / "opgen" / "_runtime")
        assert any(Path(folder).iterdir())


def test_runs_from_the_checkout() -> None:
    """Without the wheel, the headers are those in runtime/, so that edits there take effect."""
    for command in ("include-dir", "cmake-dir"):
        done = subprocess.run(
            [sys.executable, "-m", "opgen", command],
            cwd=CHECKOUT,
            check=True,
            capture_output=True,
            text=True,
        )
        assert Path(done.stdout.strip()).is_relative_to(CHECKOUT / "runtime")


def test_a_second_render_changes_nothing(installed: Installed, project: Path) -> None:
    installed.opgen("render", "specs/", "--check", cwd=project)


@pytest.mark.parametrize(
    "program", ["first_torch.py", "first_jax.py", "use_torch.py", "use_jax.py"]
)
def test_rendered_package_works_without_opgen(
    installed: Installed, project: Path, program: str
) -> None:
    installed.run(sys.executable, "-c", WITHOUT_OPGEN, program, cwd=project)


def test_rendered_tests_pass(installed: Installed, project: Path) -> None:
    ops = ["scaled_square", *BEGUN.values()]
    tests = [f"acme_ops/tests/test_ops.py::{op}" for op in ops]
    output = installed.run(sys.executable, "-m", "pytest", "-q", *tests, cwd=project)
    assert " passed" in output
