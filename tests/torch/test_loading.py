"""`opgen.load`: when it builds, and with which flags; a fake compiler records the builds."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from types import SimpleNamespace

import pytest

import opgen
from opgen.build import loading

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
    """Return a function that calls `load` for a project with one op, and all builds' flags."""
    (tmp_path / "kernels" / "thrice").mkdir(parents=True)
    (tmp_path / "kernels" / "thrice" / "thrice.cpp").write_text("// a kernel")
    (tmp_path / "thrice.toml").write_text(SPEC)
    builds, slowly = [], Event()

    def compile(config, out, frameworks, verbose):
        assert frameworks.torch_include and not frameworks.jax_include
        builds.append(os.environ["CXXFLAGS"])
        time.sleep(0.2 * slowly.is_set())
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

    return SimpleNamespace(folder=tmp_path, builds=builds, slowly=slowly, load=load)


def test_what_is_built_is_not_built_again(project, capsys):
    package = project.load()
    assert package == project.folder / "build" / "acme_loaded"
    assert (package / "torch" / "_thrice.py").is_file()
    assert not (package / "jax").exists()
    assert capsys.readouterr().out == ""
    project.load()
    assert "built already" in capsys.readouterr().out
    assert project.builds == [""] and "CXXFLAGS" not in os.environ


def test_one_process_builds_for_those_that_begin_together(project, capsys):
    """If several processes start together, one builds for all.

    Here, threads replace the processes; each of them opens the lock.
    """
    project.slowly.set()
    with ThreadPoolExecutor(4) as pool:
        packages = set(pool.map(lambda _: project.load(), range(4)))
    assert len(packages) == 1 and project.builds == [""]
    assert capsys.readouterr().out.count("built already") == 3


def test_a_change_of_specs_kernels_or_flags_builds_again(project):
    project.load()
    (project.folder / "kernels" / "thrice" / "thrice.cpp").write_text("// another")
    project.load()
    (project.folder / "thrice.toml").write_text(SPEC + 'autocast = "f32"\n')
    project.load()
    project.load("-O1", "-g")
    assert project.builds == ["", "", "", "-O1 -g"]


@pytest.mark.parametrize("name, value", [("CXXFLAGS", "-O1"), ("CXX", "clang++"), ("CPATH", "/x")])
def test_what_a_compiler_is_told_builds_again(project, monkeypatch, name, value):
    project.load()
    monkeypatch.setenv(name, value)
    project.load()
    project.load()
    assert len(project.builds) == 2


def test_a_file_that_the_build_read_builds_again(project, monkeypatch):
    """A change of any file that the build read causes a new build.

    The file may be outside `kernels`, and may be edited, replaced by an older one, or removed.
    """
    header = project.folder / "scale.h"
    header.write_text("// 1")
    monkeypatch.setattr(loading, "files_read", lambda config, out: [header])
    project.load()
    project.load()
    assert len(project.builds) == 1
    header.write_text("// 22")
    project.load()
    (project.folder / "build/build").mkdir()
    header.write_text("// 333")
    os.utime(header, (1, 1))
    project.load()
    assert not (project.folder / "build/build").exists()
    header.unlink()
    project.load()
    assert len(project.builds) == 4


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
    code = "import opgen, sys; print('torch' in sys.modules, 'opgen.spec.config' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "False False\n"


WRONG = {
    "no specs": ({"specs": []}, "there is no spec: `specs` is empty"),
    "another place": ({"specs": "nowhere"}, "there is no file or folder nowhere"),
    "no kernels": ({"kernels": "nowhere"}, "there is no folder nowhere"),
    "no identifier": ({"name": "acme-ops"}, "'acme-ops' names no ops: expected a lower"),
    "PyTorch's name": ({"name": "torch"}, "expected a namespace of one's own"),
    "a module's name": ({"name": "json"}, "another package called json is loaded"),
}


@pytest.mark.parametrize("given, message", WRONG.values(), ids=WRONG)
def test_wrong_arguments_are_refused(project, given, message):
    right = {"name": "acme_loaded", "specs": project.folder, "kernels": project.folder}
    with pytest.raises(opgen.LoadError, match=message):
        opgen.load(**right | given, build_directory=project.folder / "build")
    assert project.builds == []


def test_a_missing_kernel_is_said(project, capsys):
    (project.folder / "kernels" / "thrice" / "thrice.cpp").unlink()
    project.load()
    assert "no cpu source yet in" in capsys.readouterr().out


def test_nothing_is_loaded_where_nothing_was_built(tmp_path):
    with pytest.raises(opgen.LoadError, match="nothing was built in"):
        opgen.load_library(tmp_path / "acme_loaded")
