"""`opgen build --only` compiles one family of a project; the other families can still be imported."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from opgen.cli.main import main

CALLS = """
import torch, numpy, acme.torch, acme.jax
assert acme.torch.first(torch.ones(3)).shape == (3,)
assert acme.jax.first(numpy.ones(3, numpy.float32)).shape == (3,)
for call, x in ((acme.torch.second, torch.ones(3)), (acme.jax.second, numpy.ones(3, numpy.float32))):
    try:
        call(x)
    except NotImplementedError as error:
        assert "`opgen build --only` built first: `opgen build` builds all" in str(error), error
    else:
        raise AssertionError("the op was not built")
"""


@pytest.mark.slow  # compiles a project
def test_one_family_is_built_and_the_others_say_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for command in (["init", "acme", "--op", "first"], ["new", "second"], ["render"]):
        assert main(command) == 0
    assert main(["build", "--only", "frist"]) == 2
    assert "no family `frist` in acme: did you mean `first`?" in capsys.readouterr().err
    assert main(["build", "--only", "first"]) == 0
    said = capsys.readouterr().err
    assert "second" not in said and "libraries of first alone" in said.splitlines()[-1]
    subprocess.run([sys.executable, "-c", CALLS], check=True)
    assert main(["build", "--only", "first"]) == 0
    said = capsys.readouterr().err
    assert "acme/lib is up to date" in said and "steps" not in said


@pytest.mark.slow  # compiles a project
def test_an_announced_kernel_without_a_source_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A kernel without a source file is named by `opgen build` and by a failing rendered test."""
    monkeypatch.chdir(tmp_path)
    assert main(["init", "acme", "--op", "first"]) == 0
    (source,) = Path("kernels").rglob("*.cpp")
    source.unlink()
    assert main(["build"]) == 0
    assert "no cpu source yet in kernels/ for first" in capsys.readouterr().err
    command = [sys.executable, "-m", "pytest", "acme/tests", "-k", "kernel_is_built"]
    tested = subprocess.run(command, capture_output=True, text=True)
    assert tested.returncode == 1
    assert "first: no kernel for cpu was built" in tested.stdout
