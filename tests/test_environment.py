"""The environment of a checkout: packages are installed once, into the user's cache."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[1] / "scripts" / "environment.py"


@pytest.fixture
def environment(monkeypatch, tmp_path: Path):
    """Load the script with an empty project as its checkout and one module as its packages."""
    spec = importlib.util.spec_from_file_location("opgen_environment", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.installed = []

    def install(kept: Path, extras: tuple[str, ...]) -> None:
        module.installed.append(kept)
        (kept / module.SHARED).mkdir(parents=True, exist_ok=True)
        (kept / module.SHARED / "one.py").write_text("x = 1\n")
        (kept / "bin").mkdir(exist_ok=True)
        program = kept / "bin" / "one"
        program.write_text(f"#!{kept}/bin/python\nimport one; print(one.__file__)\n")
        program.chmod(0o755)
        module.stamp(kept).write_text(module.contents(kept))

    real = module.run
    monkeypatch.setattr(module, "install", install)
    monkeypatch.setattr(
        module, "run", lambda *command: real(*command) if "venv" in command else None
    )
    monkeypatch.setattr(module, "ROOT", tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    extras = "".join(f'{extra} = ["{extra}>=1"]\n' for extra in module.EXTRAS)
    (tmp_path / "constraints.txt").write_text("")
    (tmp_path / "pyproject.toml").write_text(
        f"[project]\ndependencies = []\n[project.optional-dependencies]\n{extras}"
    )
    return module


def test_checkouts_share_files_and_have_programs_of_their_own(environment, tmp_path: Path) -> None:
    for name in ("a", "b"):
        environment.main(str(tmp_path / name))
    assert len(environment.installed) == 1
    (kept,) = environment.installed
    for name in ("a", "b"):
        venv = tmp_path / name
        said = subprocess.run([venv / "bin" / "one"], capture_output=True, text=True, check=True)
        assert said.stdout.strip() == str(venv / environment.SHARED / "one.py")
        assert (venv / environment.SHARED / "one.py").samefile(kept / environment.SHARED / "one.py")


def test_other_packages_are_another_environment(environment, tmp_path: Path) -> None:
    environment.main(str(tmp_path / "a"))
    (tmp_path / "a" / "left.txt").write_text("of the last environment")
    (tmp_path / "constraints.txt").write_text("one==2\n")
    environment.main(str(tmp_path / "a"))
    assert len({*environment.installed}) == 2
    assert not (tmp_path / "a" / "left.txt").exists()


@pytest.mark.parametrize("harm", ["a file is gone", "a file is cut", "no stamp"])
def test_what_is_broken_is_installed_again(environment, tmp_path: Path, harm: str) -> None:
    environment.main(str(tmp_path / "a"))
    (kept,) = environment.installed
    if harm == "no stamp":
        environment.stamp(kept).unlink()
    elif harm == "a file is gone":
        (kept / environment.SHARED / "one.py").unlink()
    else:
        os.truncate(kept / environment.SHARED / "one.py", 2)
    environment.main(str(tmp_path / "b"))
    assert environment.installed == [kept, kept]
    assert (tmp_path / "b" / environment.SHARED / "one.py").read_text() == "x = 1\n"


def test_of_two_at_once_one_installs(tmp_path: Path) -> None:
    """If two processes start at once, one installs, and the other waits and uses the result."""
    program = f"""
import pathlib, runpy, sys, time
module = runpy.run_path({str(SCRIPT)!r})
def install(kept, extras):
    time.sleep(0.3)
    (kept / module["SHARED"]).mkdir(parents=True)
    (kept / "bin").mkdir()
    module["stamp"](kept).write_text(module["contents"](kept))
    print("installed")
names = module["main"].__globals__
names.update(install=install, run=lambda *command: None, link=lambda kept, target: None)
module["main"]("unused")
"""
    made = {**os.environ, "XDG_CACHE_HOME": str(tmp_path)}
    command = [sys.executable, "-c", program]
    both = [subprocess.Popen(command, env=made, stdout=subprocess.PIPE, text=True) for _ in "ab"]
    assert sorted(each.communicate()[0].count("installed\n") for each in both) == [0, 1]
    assert all(each.returncode == 0 for each in both)


def test_fewer_extras_are_another_environment(environment, tmp_path: Path) -> None:
    environment.main(str(tmp_path / "a"), "build", "demo")
    environment.main(str(tmp_path / "b"))
    assert len({*environment.installed}) == 2
