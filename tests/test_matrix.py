"""`make matrix`: the Pythons that it finds, and its report on those that fail."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SCRIPT = ROOT / "scripts" / "matrix.py"
THIS = "{}.{}".format(*sys.version_info[:2])


@pytest.fixture
def matrix(monkeypatch, tmp_path: Path):
    spec = importlib.util.spec_from_file_location("opgen_matrix", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, spec.name, module)
    spec.loader.exec_module(module)
    (tmp_path / "constraints.txt").write_text("")
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs" / "relu.toml").write_text("spec = 1\n")
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    monkeypatch.setattr(module, "ROOT", tmp_path)
    monkeypatch.setattr(module, "installation", lambda python, place: [])
    return module


def stub(matrix, body: str) -> None:
    """Create a fake Python of the matrix that runs shell commands; $* has its arguments."""
    file = matrix.ROOT / "build" / "matrix" / THIS / "venv" / "bin" / "python"
    file.parent.mkdir(parents=True)
    file.write_text(f"#!/bin/sh\n{body}\n")
    file.chmod(0o755)


def test_finds_the_python_that_runs(matrix, monkeypatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path))
    assert matrix.find_python(THIS) is None
    (tmp_path / f"python{THIS}").symlink_to(sys.executable)
    assert matrix.find_python(THIS) == str(tmp_path / f"python{THIS}")


def test_a_python_without_the_lock_has_a_name_of_its_own(matrix, monkeypatch, tmp_path) -> None:
    """A Python without the global lock is found by its own name, such as `python3.13t`.

    `python3.13` in the same folder is the same interpreter.
    """
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path))
    for name in (THIS, f"{THIS}t"):
        file = tmp_path / f"python{name}"
        file.write_text(
            f"#!/bin/sh\nexec {sys.executable} -c \"import sys; sys.abiflags = 't'; $2\"\n"
        )
        file.chmod(0o755)
    assert matrix.find_python(THIS) is None
    assert matrix.find_python(f"{THIS}t") == str(tmp_path / f"python{THIS}t")


def test_a_shim_that_runs_nothing_is_passed_over(matrix, monkeypatch, tmp_path) -> None:
    shim = tmp_path / f"python{THIS}"
    shim.write_text("#!/bin/sh\nexit 127\n")
    shim.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path))
    assert matrix.find_python(THIS) is None


def test_none_found_is_an_error(matrix, capsys) -> None:
    assert matrix.main(["--python", "9.9"]) == 2
    assert "Python 9.9 was not found: skipped" in capsys.readouterr().out


def test_counts_stand_in_the_table(matrix, capsys) -> None:
    stub(matrix, "echo '3 passed, 1 skipped in 2.00s'")
    assert matrix.main(["--python", THIS, "--ops", "relu"]) == 0
    assert f"| {THIS} | passed | 3 passed, 1 skipped |" in capsys.readouterr().out
    copied = matrix.ROOT / "build" / "matrix" / THIS / "tree" / "specs" / "relu.toml"
    assert copied.read_text() == "spec = 1\n"


def test_the_step_that_fails_is_named(matrix, capsys) -> None:
    stub(
        matrix,
        'case "$*" in *pytest*) echo "FAILED test_a.py::test_b"; echo "1 failed in 1s"; exit 1;; esac',
    )
    assert matrix.main(["--python", THIS, "--ops", "relu"]) == 1
    printed = capsys.readouterr().out
    assert "FAILED test_a.py::test_b" in printed
    assert f"| {THIS} | tests failed: build/matrix/{THIS}/log.txt | 1 failed |" in printed


def test_an_unknown_family_is_refused(matrix) -> None:
    with pytest.raises(SystemExit, match="specs/ has no rleu"):
        matrix.main(["--python", THIS, "--ops", "rleu"])


def test_what_is_gone_leaves_the_copy(matrix, tmp_path: Path) -> None:
    tree, file = tmp_path / "build" / "tree", tmp_path / "opgen" / "moved.py"
    file.parent.mkdir()
    file.write_text("")
    matrix.copy(tree, None)
    assert (tree / "opgen" / "moved.py").is_file()
    file.unlink()
    matrix.copy(tree, None)
    assert not (tree / "opgen" / "moved.py").exists()
    assert (tree / "specs" / "relu.toml").is_file()
