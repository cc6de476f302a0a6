"""The statements of SECURITY.md about running code: each file of the project records that it ran."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SECURITY = " ".join((ROOT / "SECURITY.md").read_text().split())
MARK = "import os; open(os.environ['MARKS'], 'a').write({name!r} + '\\n')\n"
SPEC = """spec = 1
[ops.f]
doc = "An op."
reference = "f.py:f"
dims.z = "sizes.py:z"
inputs.x = { dtype = "f32", shape = "m" }
workspace.w = { dtype = "f32", shape = "z" }
outputs.y = { dtype = "f32", shape = "m" }
grad = "none"
sharding = "replicate"
kernels = ["cpu"]
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Create a Git project in which every Python file records when it runs."""
    root = tmp_path / "project"
    for folder in ("specs", "kernels/f", "p", "evilmod/core"):
        (root / folder).mkdir(parents=True)
    (root / "pyproject.toml").write_text('[tool.opgen]\npackage = "p"\nout = "out"\n')
    (root / "specs/f.toml").write_text(SPEC)
    (root / "specs/f.py").write_text("def f(xp, x):\n    return x\n")
    (root / "specs/sizes.py").write_text("def z(m):\n    return m\n")
    for name in ("f_torch.py", "f_jax.py"):
        (root / "specs" / name).write_text("__all__ = []\n")
    for name in ("f.py", "sizes.py", "f_torch.py", "f_jax.py"):
        file = root / "specs" / name
        file.write_text(MARK.format(name=name) + file.read_text())
    for name in ("p", "evilmod", "evilmod/core"):
        (root / name / "__init__.py").write_text(MARK.format(name=name))
    for name in ("conftest", "setup", "tomli", "jinja2", "numpy", "ruff", "tempfile"):
        (root / f"{name}.py").write_text(MARK.format(name=name))
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b", "-C", str(root)]
    for arguments in (["init", "-q"], ["add", "."], ["commit", "-qm", "first"]):
        subprocess.run([*git, *arguments], check=True)
    return root


def run(project: Path, *arguments: str, path: Path | None = None) -> tuple[int, str, list[str]]:
    """Return a command's exit code, its output, and the files of the project that it ran."""
    marks = project.parent / "marks"
    marks.write_text("")
    environment = {**os.environ, "MARKS": str(marks), "XDG_CACHE_HOME": str(project.parent)}
    if path is not None:
        environment["PYTHONPATH"] = str(path)
    command = [str(Path(sys.executable).with_name("opgen")), *arguments]
    done = subprocess.run(command, cwd=project, env=environment, capture_output=True, text=True)
    assert "Traceback" not in done.stderr, done.stderr
    return done.returncode, done.stdout + done.stderr, marks.read_text().split()


def says(sentence: str) -> None:
    assert sentence in SECURITY


def test_commands_that_run_nothing_of_a_project(project: Path) -> None:
    says(
        "`opgen lint`, `render`, `diff`, `explain`, `schema` and `reference` do not run a project's code"
    )
    for arguments in (
        ["lint"],
        ["render", "--no-cache"],
        ["render", "--check"],
        ["diff", "--against", "HEAD"],
        ["explain", "f"],
        ["explain", "OG104"],
        ["schema"],
        ["reference"],
    ):
        code, said, marks = run(project, *arguments)
        assert (code, marks) == (0, []), (arguments, said)


def test_targets_of_installed_packages_are_imported(project: Path) -> None:
    says("`opgen lint` and `render` import installed packages that register a target")
    site = project.parent / "site"
    info = site / "added-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: added\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[opgen.targets]\nadded = added_target\n")
    text = MARK.format(name="target") + "def outputs(project):\n    return []\n"
    (site / "added_target.py").write_text(text)
    for command in ("lint", "render"):
        code, said, marks = run(project, command, path=site)
        assert (code, set(marks)) == (0, {"target"}), said


def test_a_placement_imports_the_rendered_package(project: Path) -> None:
    says("`opgen explain OP --mesh ...` imports the project's rendered JAX package")
    says("runs the project's functions that compute sizes")
    code, said, marks = run(project, "explain", "f", "--mesh", "d=2")
    assert code == 2 and {*marks} <= {"p", "sizes.py"} and "p" in marks, said


def test_a_framework_file_runs_when_its_package_is_imported(project: Path) -> None:
    says("A file `<family>_torch.py` or `<family>_jax.py` next to a spec is code of the project.")
    says("The file runs when a program imports the rendered package for PyTorch or for JAX.")
    code, said, marks = run(project, "render")
    assert (code, marks) == (0, []), said
    for target in ("torch", "jax"):
        text = (project / f"out/{target}/_f_{target}.py").read_text()
        assert f"'f_{target}.py'" in text
        package = (project / f"out/{target}/__init__.py").read_text()
        assert f"from . import _f_{target} as _f_{target}\n" in package


def test_a_replay_cannot_choose_what_is_imported(project: Path) -> None:
    says("It rejects files from any other package.")
    pytest.importorskip("numpy")
    from opgen.runtime.debug.replay_file import Record, write

    for file in project.glob("*.py"):
        file.unlink()
    record = Record("evilmod", "0", "f\x1b[2J", "torch", "cpu", {}, {}, finding="\x1b]0;owned\x07")
    file = write(project, "call", record, files=9, limit=1 << 20)
    code, said, marks = run(project, "replay", str(file), path=project)
    assert code == 2 and marks == [] and "the project here has p" in said and "\x1b" not in said
    code, said, marks = run(project, "replay", str(file), "--package", "evilmod", path=project)
    assert code == 2 and marks[:1] == ["evilmod"]


def test_where_to_report() -> None:
    says('choose "Security", then "Report a vulnerability"')
    assert "@" not in SECURITY
