"""`opgen.load`: what it builds, and when; the compiler is replaced by a note."""

from __future__ import annotations

import os
import subprocess
import sys
from types import SimpleNamespace

import pytest

import opgen
from opgen import loading

SPEC = """spec = 1
[dtypes]
T = ["f32"]
[ops.thrice]
doc = "`3*x`."
inputs.x = { dtype = "T", shape = "*s" }
outputs.y = { dtype = "T", shape = "*s" }
grad.formulas = { x = "3*dy" }
sharding.split = ["s"]
kernels = ["cpu"]
"""


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A call of `load` on a project of one op, and the flags of every build."""
    (tmp_path / "kernels" / "thrice").mkdir(parents=True)
    (tmp_path / "kernels" / "thrice" / "thrice.cpp").write_text("// a kernel")
    (tmp_path / "thrice.toml").write_text(SPEC)
    builds = []

    def compile(config, out, verbose):
        builds.append(os.environ["CXXFLAGS"])
        (out / "lib").mkdir(exist_ok=True)

    monkeypatch.setattr(loading, "build", compile)
    monkeypatch.setattr(loading, "load_library", lambda package: package)
    monkeypatch.delenv("CXXFLAGS", raising=False)

    def load(*flags):
        return opgen.load(
            "acme_loaded",
            specs=tmp_path / "thrice.toml",
            kernels=tmp_path / "kernels",
            build_directory=tmp_path / "build",
            extra_cflags=flags,
        )

    return SimpleNamespace(folder=tmp_path, builds=builds, load=load)


def test_what_is_built_is_not_built_again(project, capsys):
    package = project.load()
    assert package == project.folder / "build" / "acme_loaded"
    assert (package / "torch" / "_thrice.py").is_file()
    assert not (package / "jax").exists()
    assert capsys.readouterr().out == ""
    project.load()
    assert "built already" in capsys.readouterr().out
    assert project.builds == [""] and "CXXFLAGS" not in os.environ


def test_a_change_of_specs_kernels_or_flags_builds_again(project):
    project.load()
    (project.folder / "kernels" / "thrice" / "thrice.cpp").write_text("// another")
    project.load()
    (project.folder / "thrice.toml").write_text(SPEC + 'autocast = "f32"\n')
    project.load()
    project.load("-O1", "-g")
    assert project.builds == ["", "", "", "-O1 -g"]


def test_what_is_loaded_cannot_be_exchanged(project, monkeypatch):
    project.load()
    monkeypatch.setitem(sys.modules, "acme_loaded.torch", object())
    project.load()
    with pytest.raises(opgen.LoadError, match="acme_loaded has changed"):
        project.load("-O1")


def test_wrong_specs_are_reported(project):
    (project.folder / "thrice.toml").write_text(SPEC.replace("shape", "shap"))
    with pytest.raises(opgen.LoadError, match=r"thrice.toml:\d+:\d+: error.*shap"):
        project.load()
    assert project.builds == []


def test_opgen_imports_nothing_for_it():
    code = "import opgen, sys; print('torch' in sys.modules, 'opgen.config' in sys.modules)"  # fmt: skip
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "False False\n"
