"""What `opgen build` leaves behind, and what it says when it fails."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import pytest

from opgen import build
from opgen.config import Config

OLD, NEW = "0123456789ab", "ba9876543210"


def publish(tmp_path: Path, *names: str) -> list[str]:
    stage = tmp_path / "stage"
    stage.mkdir(exist_ok=True)
    for file in stage.iterdir():
        file.unlink()
    for name in names:
        (stage / name).write_text(name)
    libraries = build._publish(stage, tmp_path / "lib", {"compiler": "c++"})
    return [library.name for library in libraries]


def test_libraries_of_a_former_layout_go(tmp_path: Path) -> None:
    publish(tmp_path, f"libx_torch-{OLD}.so", "bindings.abi.so")
    (tmp_path / "lib" / f"libmine-{OLD}.so").write_text("not ours")
    names = publish(tmp_path, f"libx_torch-{NEW}.so", "bindings.abi.so")
    assert names == ["bindings.abi.so", f"libx_torch-{NEW}.so"]
    left = {file.name for file in (tmp_path / "lib").iterdir()}
    assert left == {*names, "BUILD.json", f"libmine-{OLD}.so"}


def test_libraries_of_the_same_layout_stay(tmp_path: Path) -> None:
    """One autograd library for each minor version of torch, built one after the other."""
    publish(tmp_path, f"libx_autograd-{NEW}-2.12.so", f"libx_torch-{NEW}.so")
    names = publish(tmp_path, f"libx_autograd-{NEW}-2.13.so", f"libx_torch-{NEW}.so")
    assert f"libx_autograd-{NEW}-2.12.so" in names
    record = json.loads((tmp_path / "lib" / "BUILD.json").read_text())
    assert record["libraries"] == sorted(names)


def test_a_broken_record_is_as_none(tmp_path: Path) -> None:
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "BUILD.json").write_text("{")
    assert publish(tmp_path, f"libx-{NEW}.so") == [f"libx-{NEW}.so"]


def test_nothing_rendered(tmp_path: Path) -> None:
    with pytest.raises(build.BuildError, match="run `opgen render` first"):
        build.build(Config(tmp_path), tmp_path / "generated")


def test_a_failing_step_is_told_by_its_errors(tmp_path: Path) -> None:
    out = tmp_path / "generated"
    out.mkdir()
    (out / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.26)\n"
        "project(broken LANGUAGES CXX)\n"
        "add_library(broken SHARED broken.cpp)\n"
    )
    (out / "broken.cpp").write_text("int answer() { return 42 }\n")
    with pytest.raises(build.BuildError) as caught:
        build.build(Config(tmp_path), out, say=lambda text: None)
    first, error, *_ = str(caught.value).splitlines()
    assert first == "the build failed:"
    assert "broken.cpp:1" in error and "expected" in error
    assert not (out / "lib").exists()


def test_a_missing_program_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build.sys, "executable", "/nowhere/python")
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(build.BuildError, match="ninja was not found"):
        build._tool("ninja")


def test_a_project_without_kernels_is_built(tmp_path: Path) -> None:
    """Its ops run their references; what the adapters link is there all the same."""
    out = tmp_path / "generated"
    out.mkdir()
    (out / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.26)\n"
        "project(bare LANGUAGES CXX)\n"
        "find_package(opgen REQUIRED CONFIG)\n"
        f"opgen_project(NAMESPACE bare LAYOUT {NEW})\n"
        "opgen_kernels()\n"
    )
    libraries = build.build(Config(tmp_path), out, say=lambda text: None)
    assert f"libbare_kernels-{NEW}.so" in [library.name for library in libraries]


@pytest.mark.skipif(
    importlib.util.find_spec("torch") is None, reason="there is no torch"
)
def test_the_autograd_unit_is_compiled_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It knows no op: the next project links the same object, unless it is made otherwise."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))

    def made(name: str) -> str:
        """What CMake says of the project."""
        out = tmp_path / name / "generated"
        (out / "cpp").mkdir(parents=True)
        (out / "cpp" / "none.cpp").write_text("")
        (out / "CMakeLists.txt").write_text(
            "cmake_minimum_required(VERSION 3.26)\n"
            f"project({name} LANGUAGES CXX)\n"
            "find_package(opgen REQUIRED CONFIG)\n"
            f"opgen_project(NAMESPACE {name} LAYOUT {NEW})\n"
            "opgen_kernels()\n"
            "opgen_torch(cpp/none.cpp)\n"
        )
        said = []
        monkeypatch.setattr(build, "_run", lambda *given: said.append(run(*given)))
        libraries = build.build(Config(tmp_path / name), out, say=lambda text: None)
        assert any(f"lib{name}_autograd-" in library.name for library in libraries)
        return said[0]

    def run(command: list[str], folder: Path, verbose: bool) -> str:
        original(command, folder, verbose)
        return (folder / "log.txt").read_text()

    original = build._run
    again = "compiled already"
    assert again not in made("first")
    assert again in made("second")
    monkeypatch.setenv("CXXFLAGS", "-DOTHERWISE -O0")
    assert again not in made("third")
    assert len(list((tmp_path / "cache" / "opgen").glob("autograd-*.o"))) == 2
