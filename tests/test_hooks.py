"""The pre-commit hooks, installed by the real pre-commit from this checkout."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SHIPPED = ("opgen", "runtime", "pyproject.toml", "README.md", "LICENSE", ".pre-commit-hooks.yaml")
GOOD = """spec = 1

[ops.negate]
doc            = "Elementwise `-x`."
inputs.x       = { dtype = "f32", shape = "*s" }
outputs.y      = { dtype = "f32", shape = "*s" }
grad.formulas  = { x = "-dy" }
sharding.split = ["s"]
kernels        = ["cpu"]
"""
CONFIG = """repos:
  - repo: {repo}
    rev: {rev}
    hooks:
      - id: opgen-lint
      - id: opgen-render-check
"""


def pre_commit() -> str:
    found = shutil.which("pre-commit", path=Path(sys.executable).parent)
    found = found or shutil.which("pre-commit")
    return found or pytest.skip("pre-commit is not installed")


def git(*args: str, cwd: Path) -> str:
    identity = ["-c", "user.name=t", "-c", "user.email=t@example.com"]
    process = subprocess.run(
        ["git", *identity, *args], cwd=cwd, capture_output=True, text=True, check=True
    )
    return process.stdout.strip()


def commit_all(folder: Path) -> str:
    """Make `folder` a repository with one commit, and return the commit's hash."""
    git("init", "-q", ".", cwd=folder)
    git("add", ".", cwd=folder)
    git("commit", "-q", "-m", "all", cwd=folder)
    return git("rev-parse", "HEAD", cwd=folder)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Create a repository with one spec, its rendered package and the hooks."""
    hooks = tmp_path / "opgen"
    for path in map(ROOT.joinpath, SHIPPED):
        copy = hooks / path.name
        if path.is_dir():
            shutil.copytree(path, copy, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            copy.parent.mkdir(exist_ok=True)
            shutil.copy(path, copy)
    project = tmp_path / "project"
    (project / "specs").mkdir(parents=True)
    (project / "specs" / "negate.toml").write_text(GOOD)
    (project / "pyproject.toml").write_text("[tool.opgen]\n")
    config = CONFIG.format(repo=hooks, rev=commit_all(hooks))
    (project / ".pre-commit-config.yaml").write_text(config)
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "opgen", "render"]
    subprocess.run(command, cwd=project, env=env, check=True)
    commit_all(project)
    return project


@pytest.mark.slow
def test_a_bad_spec_is_refused_and_a_good_one_passes(repository: Path) -> None:
    tool = pre_commit()
    env = {**os.environ, "PRE_COMMIT_HOME": str(repository.parent / "home")}

    def run(*files: str) -> subprocess.CompletedProcess[str]:
        git("add", ".", cwd=repository)
        of = ["--files", *files] if files else ["--all-files"]
        return subprocess.run(
            [tool, "run", *of, "--color", "never"],
            cwd=repository,
            env=env,
            capture_output=True,
            text=True,
        )

    def outcomes(text: str) -> list[tuple[str, str]]:
        """Return the name and the outcome of each hook; a row of dots separates them."""
        return re.findall(r"^(opgen [^.]+)\.+(?:\(.*\))?(\w+)$", text, re.M)

    good = run()
    assert good.returncode == 0, good.stdout + good.stderr
    lint, check = "opgen lint", "opgen render --check"
    assert outcomes(good.stdout) == [(lint, "Passed"), (check, "Passed")]

    spec = repository / "specs" / "negate.toml"
    spec.write_text(GOOD.replace('y      = { dtype = "f32"', 'y      = { dtype = "f23"'))
    bad = run()
    assert bad.returncode == 1
    assert "error[OG202 unknown-dtype]: unknown dtype `f23`" in bad.stdout
    assert outcomes(bad.stdout) == [(lint, "Failed"), (check, "Failed")]

    spec.write_text(GOOD.replace("-x", "minus x"))
    stale = run()
    assert stale.returncode == 1 and "stale: generated/" in stale.stdout
    assert outcomes(stale.stdout) == [(lint, "Passed"), (check, "Failed")]
    # The hook for rendered files runs on any commit, because any file may belong to the package.
    assert outcomes(run("pyproject.toml").stdout) == [(lint, "Skipped"), (check, "Failed")]

    installed = repository.parent / "home"
    names = {path.name for path in installed.rglob("site-packages/*")}
    assert "pydantic" in names and not {"torch", "jax"} & names
