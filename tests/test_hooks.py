"""The pre-commit hooks, installed by the real pre-commit from this checkout."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SHIPPED = ("opgen", "runtime", "pyproject.toml", "README.md", ".pre-commit-hooks.yaml")
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
    """Make `folder` a repository with one commit; its hash."""
    git("init", "-q", ".", cwd=folder)
    git("add", ".", cwd=folder)
    git("commit", "-q", "-m", "all", cwd=folder)
    return git("rev-parse", "HEAD", cwd=folder)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A scratch repository with one spec, its rendered package and the hooks."""
    hooks = tmp_path / "opgen"
    listed = git("ls-files", "-co", "--exclude-standard", *SHIPPED, cwd=ROOT)
    for path in filter(os.path.exists, (ROOT / line for line in listed.split("\n"))):
        copy = hooks / Path(path).relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
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


def test_a_bad_spec_is_refused_and_a_good_one_passes(repository: Path) -> None:
    tool = pre_commit()
    env = {**os.environ, "PRE_COMMIT_HOME": str(repository.parent / "home")}

    def run() -> subprocess.CompletedProcess[str]:
        git("add", ".", cwd=repository)
        command = [tool, "run", "--all-files", "--color", "never"]
        return subprocess.run(
            command, cwd=repository, env=env, capture_output=True, text=True
        )

    good = run()
    assert good.returncode == 0, good.stdout + good.stderr
    assert good.stdout.count("Passed") == 2

    spec = repository / "specs" / "negate.toml"
    spec.write_text(
        GOOD.replace('y      = { dtype = "f32"', 'y      = { dtype = "f23"')
    )
    bad = run()
    assert bad.returncode == 1
    assert "error[OG202 unknown-dtype]: unknown dtype `f23`" in bad.stdout

    spec.write_text(GOOD.replace("-x", "minus x"))
    stale = run()
    assert stale.returncode == 1 and "stale: generated/" in stale.stdout

    installed = repository.parent / "home"
    names = {path.name for path in installed.rglob("site-packages/*")}
    assert "pydantic" in names and not {"torch", "jax"} & names
