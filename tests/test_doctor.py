"""Test `opgen doctor`: its findings, its advice, and its exit code."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from opgen.build import doctor
from opgen.build.frameworks import Frameworks
from opgen.build.publish import RECORD
from opgen.cli.main import main
from opgen.source.version import __version__

BOTH = Frameworks(
    torch_include="/torch/include",
    torch_lib="/torch/lib",
    torch_version="2.13.0",
    jax_include="/jax/include",
    jax_version="0.10.2",
    jax_ffi="0.3",
    pybind11_include="/pybind11/include",
    python_include="/python/include",
    python_suffix=".so",
)
NONE = Frameworks(*[""] * 9)


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Create an empty folder on a simulated machine that has every tool."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("CMAKE_CXX_COMPILER_LAUNCHER", raising=False)
    monkeypatch.setattr(doctor, "find_frameworks", lambda: BOTH)
    return monkeypatch


def said(capsys: pytest.CaptureFixture[str]) -> tuple[int, dict[str, tuple[str, str]]]:
    """Return the exit code, and the result and text of each check."""
    capsys.readouterr()
    code = main(["doctor"])
    lines = capsys.readouterr().out.splitlines()
    return code, {line[9:28].strip(): (line[:8].strip(), line[28:]) for line in lines}


def test_a_machine_that_has_all(
    machine: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    code, found = said(capsys)
    assert code == 0
    assert found["PyTorch"] == ("ok", "2.13.0") and found["cmake"][0] == "ok"
    assert found["project"] == ("without", "none here: `opgen init` begins one")


def test_what_is_needed_and_missing(
    machine: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    machine.setenv("PATH", "")
    machine.setenv("CUDA_HOME", "/nowhere")
    machine.setattr(doctor, "find_frameworks", lambda: NONE)
    code, found = said(capsys)
    assert code == 1
    assert found["C++ compiler"] == ("missing", "install g++ 12 or newer, or set CXX")
    assert found["PyTorch"] == ("missing", "`pip install torch`")
    assert found["JAX"] == ("missing", "`pip install jax`")
    assert found["nvcc"][0] == found["compiler cache"][0] == found["pybind11"][0] == "without"
    assert "install ccache or sccache" in found["compiler cache"][1]


def test_one_framework_is_enough(
    machine: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    machine.setattr(doctor, "find_frameworks", lambda: BOTH.torch_alone)
    code, found = said(capsys)
    assert code == 0
    assert found["JAX"][0] == found["pybind11"][0] == "without"


def test_a_project_step_by_step(
    machine: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert main(["init", "acme_ops"]) == 0
    code, found = said(capsys)
    assert code == 1 and found["rendered"] == ("missing", "`opgen render`")
    assert main(["render"]) == 0
    code, found = said(capsys)
    assert code == 1 and found["built"] == ("missing", "`opgen build`")
    manifest = tmp_path / "acme_ops/MANIFEST"
    text = manifest.read_text()
    manifest.write_text(text.replace(f"opgen {__version__}", "opgen 99.0.0"))
    _, found = said(capsys)
    assert found["rendered"][1].endswith("; opgen 99.0.0 rendered it: install that or a newer one")
    manifest.write_text(text)

    package = (tmp_path / "acme_ops/core/_package.py").read_text()
    package = package.split('PACKAGE_HASH = "')[1][:12]
    record = {"libraries": [f"libacme_ops_kernels-{package}.so"], "torch": "2.13.1", "jax": None}
    (tmp_path / "acme_ops/lib").mkdir()
    (tmp_path / "acme_ops/lib" / RECORD).write_text(json.dumps(record))
    code, found = said(capsys)
    assert code == 1 and found["built for PyTorch"] == ("ok", "2.13.1")
    assert found["built for JAX"] == ("missing", "JAX 0.10.2 is installed: `opgen build`")

    machine.setattr(doctor, "find_frameworks", lambda: replace(BOTH, torch_version="2.14.0"))
    _, found = said(capsys)
    assert found["built for PyTorch"] == (
        "missing",
        "2.13.1; PyTorch 2.14.0 is installed: `opgen build`",
    )


FORMER = '{"libraries": ["libold-000000000000.so"]}'


@pytest.mark.parametrize(
    "text, found_",
    [
        ("", "`opgen build`"),
        ("[]", "`opgen build`"),
        (FORMER, "of another state of the package; `opgen build`"),
    ],
)
def test_a_record_of_something_else_is_no_build(
    machine: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    text: str,
    found_: str,
) -> None:
    assert main(["init", "acme_ops"]) == main(["render"]) == 0
    (tmp_path / "acme_ops/lib").mkdir()
    (tmp_path / "acme_ops/lib" / RECORD).write_text(text)
    code, found = said(capsys)
    assert code == 1 and found["built"] == ("missing", found_)
