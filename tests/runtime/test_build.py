"""`opgen build` leaves the right files, and its error messages name the cause."""

from __future__ import annotations

import errno
import fcntl
import importlib
import importlib.util
import json
import os
import platform
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path

import pytest

from generated._opgen.core import libraries
from generated._opgen.core.libraries import _mapped, find_library, not_loaded, refuse_truncated
from generated._opgen.core.project import LIBRARIES, NAMESPACE
from generated.core._package import PACKAGE_HASH
from opgen.build import cmake as build
from opgen.build import machine
from opgen.build import publish as publish_module
from opgen.build.compile_errors import explain
from opgen.build.frameworks import Frameworks, find_frameworks
from opgen.build.runtime_files import cmake_dir
from opgen.compiler.pipeline import load
from opgen.output.render import render
from opgen.output.write import write
from opgen.spec.config import Config

ROOT = Path(__file__).parents[2]
OLD, NEW = "0123456789ab", "ba9876543210"


def publish(tmp_path: Path, *names: str) -> list[str]:
    stage = tmp_path / "stage"
    stage.mkdir(exist_ok=True)
    for file in stage.iterdir():
        file.unlink()
    for name in names:
        (stage / name).write_text(name)
    libraries, _ = publish_module.publish(stage, tmp_path / "lib", {"compiler": "c++"})
    return [library.name for library in libraries]


def test_libraries_of_a_former_layout_go(tmp_path: Path) -> None:
    publish(tmp_path, f"libx_torch-{OLD}.so", "bindings.abi.so")
    (tmp_path / "lib" / f"libmine-{OLD}.so").write_text("not ours")
    names = publish(tmp_path, f"libx_torch-{NEW}.so", "bindings.abi.so")
    assert names == ["bindings.abi.so", f"libx_torch-{NEW}.so"]
    left = {file.name for file in (tmp_path / "lib").iterdir()}
    assert left == {*names, "BUILD.json", f"libmine-{OLD}.so"}


def test_libraries_of_the_same_layout_stay(tmp_path: Path) -> None:
    """A build for one minor version of torch keeps the autograd libraries of other versions."""
    publish(tmp_path, f"libx_autograd-{NEW}-2.12.so", f"libx_torch-{NEW}.so")
    names = publish(tmp_path, f"libx_autograd-{NEW}-2.13.so", f"libx_torch-{NEW}.so")
    assert f"libx_autograd-{NEW}-2.12.so" in names
    record = json.loads((tmp_path / "lib" / "BUILD.json").read_text())
    assert record["libraries"] == sorted(names)


def test_kernels_for_gpus_stay_with_what_is_linked_with_them(tmp_path: Path) -> None:
    """A PyTorch build without CUDA keeps the GPU kernels of an earlier JAX build with CUDA."""
    kernels, gpus = f"libx_kernels-{NEW}.so", f"libx_gpus-{NEW}.so"
    publish(tmp_path, kernels, gpus, f"libx_jax-{NEW}.so")
    names = publish(tmp_path, kernels, f"libx_torch-{NEW}.so")
    assert names == [gpus, f"libx_jax-{NEW}.so", kernels, f"libx_torch-{NEW}.so"]


def test_a_build_that_changes_nothing_replaces_nothing(tmp_path: Path) -> None:
    publish(tmp_path, f"libx_torch-{NEW}.so")
    stamps = {file: file.stat().st_mtime_ns for file in (tmp_path / "lib").iterdir()}
    stage = tmp_path / "stage"
    assert publish_module.publish(stage, tmp_path / "lib", {"compiler": "c++"})[1] is False
    assert {file: file.stat().st_mtime_ns for file in (tmp_path / "lib").iterdir()} == stamps
    assert publish_module.publish(stage, tmp_path / "lib", {"compiler": "g++"})[1] is True


def test_a_broken_record_is_as_none(tmp_path: Path) -> None:
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "BUILD.json").write_text("{")
    assert publish(tmp_path, f"libx-{NEW}.so") == [f"libx-{NEW}.so"]


def test_nothing_rendered(tmp_path: Path) -> None:
    with pytest.raises(build.BuildError, match="run `opgen render` first"):
        build.build(Config(tmp_path), tmp_path / "generated")


@pytest.mark.parametrize("character", [";", '"', "\\", "$"])
def test_a_path_that_cmake_cannot_take(tmp_path: Path, character: str) -> None:
    with pytest.raises(build.BuildError) as caught:
        build.build(Config(tmp_path), tmp_path / f"a{character}b/out")
    assert f"a{character}b/out: CMake takes no path with a `{character}`" in str(caught.value)


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
        build.tool("ninja")


def test_a_project_without_kernels_is_built(tmp_path: Path) -> None:
    """A project without kernels still gets a kernel library, since the adapters link it."""
    out = tmp_path / "generated"
    out.mkdir()
    (out / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.26)\n"
        "project(bare LANGUAGES CXX)\n"
        "find_package(opgen REQUIRED CONFIG)\n"
        f"opgen_project(NAMESPACE bare PACKAGE {NEW})\n"
        "opgen_kernels()\n"
    )
    libraries = build.build(Config(tmp_path), out, say=lambda text: None)
    assert f"libbare_kernels-{NEW}.so" in [library.name for library in libraries]


@pytest.mark.skipif(platform.machine() != "x86_64", reason="levels are of x86-64")
def test_levels_of_the_cpu(small: Config, monkeypatch: pytest.MonkeyPatch) -> None:
    """`opgen build` compiles for the best CPU level of the machine, such as x86-64-v3.

    OPGEN_CPU_LEVELS names other levels, which are built next to plain x86-64. Libraries of other
    levels are deleted. Otherwise the loader might prefer an outdated one.
    """
    (small.out_dir / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.26)\n"
        "project(bare LANGUAGES CXX)\n"
        "find_package(opgen REQUIRED CONFIG)\n"
        f"opgen_project(NAMESPACE bare PACKAGE {NEW})\n"
        "opgen_kernels(CPU small.cpp)\n"
    )
    (best,) = machine.cpu_levels()
    folder = {"plain": "."}
    folder |= {level: f"glibc-hwcaps/{level}" for level in machine.CPU_LEVELS}
    for named, levels in (("x86-64-v3", ("plain", "x86-64-v3")), (None, (best,)), ("", ("plain",))):
        monkeypatch.delenv("OPGEN_CPU_LEVELS", raising=False)
        if named is not None:
            monkeypatch.setenv("OPGEN_CPU_LEVELS", named)
        built(small)
        file = f"libbare_kernels-{NEW}.so"
        found = {
            path.relative_to(small.out_dir / "lib")
            for path in small.out_dir.rglob(f"lib/**/{file}")
        }
        assert found == {Path(folder[level]) / file for level in levels}


LOADER = """Subdirectories of glibc-hwcaps directories, in priority order:
  x86-64-v4
  x86-64-v3 (supported, searched)
  x86-64-v2 (supported, searched)
"""


@pytest.mark.parametrize(
    "told, levels",
    [
        (LOADER, ("x86-64-v3",)),
        (LOADER.replace("v4", "v4 (supported, searched)"), ("x86-64-v4",)),
        (LOADER.replace("v3 (supported, searched)", "v3"), ("plain",)),
        ("", ("plain", "x86-64-v3", "x86-64-v4")),
    ],
)
def test_the_best_level_of_the_machine(
    told: str, levels: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(machine, "_output", lambda command: told)
    assert machine.cpu_levels() == levels


@pytest.mark.parametrize(
    "told, archs",
    [("9.0\n8.0\n9.0\n", ("80", "90")), ("10.0\n", ("100",)), ("", ("80-virtual",))],
)
def test_the_gpus_of_the_machine(
    told: str, archs: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(machine, "_output", lambda command: told)
    monkeypatch.setattr(shutil, "which", lambda name: name)
    assert machine.cuda_archs() == archs
    monkeypatch.delenv("CUDAARCHS", raising=False)
    said = Config(Path(), cuda_archs=("70",))
    assert build.cuda_archs(said, machine.cuda_archs()) == ["70"]


@pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="there is no torch")
def test_the_autograd_unit_is_compiled_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A second project with the same compiler options links the already compiled autograd unit.

    The autograd unit is the part of PyTorch's adapter for gradients that depends on no op. It takes
    a minute to compile, so it is kept in a cache folder that all projects of the user share.
    """

    def made(name: str, whole: bool = False) -> bool:
        """Configure a project, and build it if `whole`.

        Return True if it reuses the cached object.
        """
        out = tmp_path / name / "generated"
        (out / "cpp").mkdir(parents=True)
        (out / "cpp" / "none.cpp").write_text("")
        (out / "CMakeLists.txt").write_text(
            "cmake_minimum_required(VERSION 3.26)\n"
            f"project({name} LANGUAGES CXX)\n"
            "find_package(opgen REQUIRED CONFIG)\n"
            f"opgen_project(NAMESPACE {name} PACKAGE {NEW})\n"
            "opgen_kernels()\n"
            "opgen_torch(cpp/none.cpp)\n"
        )
        said = []

        def run(command: list[str], **given: object) -> str:
            if said and not whole:
                raise build.BuildError("configured")
            said.append(original(command, **given))
            return said[-1]

        monkeypatch.setattr(build, "_run", run)
        if not whole:
            with pytest.raises(build.BuildError, match="configured"):
                build.build(Config(tmp_path / name), out, say=lambda text: None)
        else:
            found = build.build(Config(tmp_path / name), out, say=lambda text: None)
            assert any(f"lib{name}_autograd-" in library.name for library in found)
        return "the autograd unit is compiled already" in said[0]

    original = build._run
    made("first", whole=True)
    assert made("second", whole=True)
    monkeypatch.setenv("CMAKE_BUILD_TYPE", "Release")
    assert made("third")
    monkeypatch.setenv("CXXFLAGS", "-DOTHERWISE -O0")
    assert not made("fourth")
    monkeypatch.delenv("CXXFLAGS")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert not made("fifth")


def test_half_an_object_is_compiled_again(tmp_path: Path) -> None:
    """A cached object that was only partly written, as on a full disk, is not reused."""
    source, kept = tmp_path / "unit.o", tmp_path / "cache/unit-0.o"
    source.write_bytes(b"whole" * 1000)
    keep = [build.tool("cmake"), f"-DFROM={source}", f"-DTO={kept}"]
    subprocess.run([*keep, "-P", f"{cmake_dir()}/keep.cmake"], check=True)
    asked = tmp_path / "asked.cmake"
    asked.write_text(
        f'include("{cmake_dir()}/kept.cmake")\n_opgen_is_whole("{kept}" whole)\nmessage("${{whole}}")\n'
    )

    def whole() -> str:
        command = [build.tool("cmake"), "-P", str(asked)]
        return subprocess.run(command, capture_output=True, text=True, check=True).stderr.strip()

    assert whole() == "ON"
    os.truncate(kept, 1000)
    assert whole() == "OFF"
    subprocess.run([*keep, "-P", f"{cmake_dir()}/keep.cmake"], check=True)
    assert whole() == "ON"
    Path(f"{kept}.sha256").unlink()
    assert whole() == "OFF"


def test_compilations_go_through_a_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A build uses ccache if it is installed, unless the user sets a compiler launcher."""
    out = tmp_path / "generated"
    out.mkdir()
    (out / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.26)\n"
        "project(plain LANGUAGES CXX)\n"
        "find_package(opgen REQUIRED CONFIG)\n"
        f"opgen_project(NAMESPACE plain PACKAGE {NEW})\n"
        "opgen_kernels()\n"
    )
    used = tmp_path / "used"
    (tmp_path / "bin").mkdir()
    cache = tmp_path / "bin" / "ccache"
    cache.write_text(f'#!/bin/sh\necho $CCACHE_BASEDIR >> {used}\nexec "$@"\n')
    cache.chmod(0o755)
    monkeypatch.setenv("PATH", f"{cache.parent}{os.pathsep}{os.environ['PATH']}")
    for name in ("CMAKE_CXX_COMPILER_LAUNCHER", "CMAKE_PROGRAM_PATH", "CCACHE_BASEDIR"):
        monkeypatch.delenv(name, raising=False)
    config = Config(tmp_path, namespace="plain")
    build.build(config, out, frameworks=NO_FRAMEWORKS, say=lambda text: None)
    assert {*used.read_text().split()} == {str(tmp_path)}
    used.unlink()
    monkeypatch.setenv("CMAKE_CXX_COMPILER_LAUNCHER", "")
    build.build(config, out, frameworks=NO_FRAMEWORKS, say=lambda text: None)
    assert not used.exists()


CMAKE = """cmake_minimum_required(VERSION 3.26)
project(small LANGUAGES CXX)
add_library(small SHARED small.cpp)
install(TARGETS small LIBRARY DESTINATION .)
"""


@pytest.fixture
def small(tmp_path: Path) -> Config:
    """A project whose package has one library with one source file."""
    config = Config(tmp_path, namespace="mine")
    config.out_dir.mkdir()
    (config.out_dir / "CMakeLists.txt").write_text(CMAKE)
    (config.out_dir / "small.cpp").write_text("int answer() { return 42; }\n")
    return config


def built(config: Config) -> list[str]:
    """Build a project.

    Return its messages without the first and the last, which every build prints.
    """
    said: list[str] = []
    build.build(config, config.out_dir, frameworks=NO_FRAMEWORKS, say=said.append)
    assert said[0] == "configuring with CMake"
    assert re.search(r"/lib (in \d+ s|is up to date): \d+ librar(y|ies)$", said[-1]), said
    return said[1:-1]


def failure(config: Config) -> str:
    with pytest.raises(build.BuildError) as caught:
        built(config)
    return str(caught.value)


NO_FRAMEWORKS = Frameworks(*[""] * len(fields(Frameworks)))


def test_errors_of_cmake_are_shown(small: Config) -> None:
    (small.out_dir / "CMakeLists.txt").write_text(CMAKE + "find_package(nonesuch REQUIRED)\n")
    said = failure(small)
    assert "CMake Error at CMakeLists.txt:5 (find_package):" in said
    assert '"Findnonesuch.cmake"' in said


def test_warnings_are_said(small: Config) -> None:
    (small.out_dir / "small.cpp").write_text("#warning beware\nint answer() { return 42; }\n")
    assert any("warning: #warning beware" in line for line in built(small))


def test_warnings_are_errors_where_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Warnings are errors only if OPGEN_WERROR is set, since newer compilers warn of more code."""
    out = tmp_path / "generated"
    (out / "cpp").mkdir(parents=True)
    (out / "cpp" / "warned.cpp").write_text("int answer(int unused) { return 42; }\n")
    (out / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.26)\n"
        "project(warned LANGUAGES CXX)\n"
        "find_package(opgen REQUIRED CONFIG)\n"
        f"opgen_project(NAMESPACE warned PACKAGE {NEW})\n"
        "opgen_kernels(CPU cpp/warned.cpp)\n"
    )
    config = Config(tmp_path, namespace="warned")
    monkeypatch.delenv("OPGEN_WERROR", raising=False)
    assert built(config) == []
    monkeypatch.setenv("OPGEN_WERROR", "1")
    said = failure(config)
    assert "error: unused parameter" in said
    assert "warnings are errors because OPGEN_WERROR is set" in said
    monkeypatch.setenv("OPGEN_WERROR", "0")
    assert built(config) == []


def test_a_changed_compiler_and_changed_flags_count(
    small: Config, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A build notices a changed compiler or changed flags. CMake alone keeps the first ones."""
    file = small.out_dir / "small.cpp"
    file.write_text("#ifdef WRONG\n#error flags\n#endif\nint answer() { return 42; }\n")
    built(small)
    monkeypatch.setenv("CXXFLAGS", "-DWRONG")
    assert "#error flags" in failure(small)
    monkeypatch.delenv("CXXFLAGS")
    built(small)
    compiler = tmp_path / "mine++"
    compiler.write_text(f'#!/bin/sh\ntouch {tmp_path}/used\nexec c++ "$@"\n')
    compiler.chmod(0o755)
    monkeypatch.setenv("CXX", str(compiler))
    built(small)
    assert (tmp_path / "used").exists()
    (tmp_path / "used").unlink()
    built(small)  # nothing changed, so nothing is compiled
    log = (small.root / "build/opgen/variables.json").read_text()
    assert json.loads(log)["CXX"] == str(compiler)


def test_after_a_failure_cmake_begins_anew(small: Config, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a failed configuration the next build starts CMake with `--fresh`.

    The CMake cache of the failed run may be incomplete.
    """
    (small.out_dir / "CMakeLists.txt").write_text(CMAKE + "find_package(nonesuch REQUIRED)\n")
    failure(small)
    (small.out_dir / "CMakeLists.txt").write_text(CMAKE)
    steps, run = [], build._run
    monkeypatch.setattr(
        build, "_run", lambda step, **given: (steps.append(step), run(step, **given))[1]
    )
    built(small)
    built(small)
    assert ["--fresh" in step for step in steps] == [True, *[False] * 5]


def test_a_folder_that_cannot_be_written(small: Config) -> None:
    (small.root / "build").write_text("a file where the folder belongs")
    assert "build" in (said := failure(small)) and "internal" not in said
    assert "Not a directory" in said or "File exists" in said


def test_a_full_disk(small: Config, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "/some/file")

    monkeypatch.setattr(build.shutil, "copy2", full)
    assert failure(small) == f"{small.out_dir}/lib/libsmall.so: No space left on device"


@pytest.mark.parametrize(
    "error",
    [
        "k.cpp:7:35: error: ‘NegateView’ does not name a type",
        "x_cpu.cpp:13:14: error: ‘cpu’ has not been declared",
        "x_cpu.cpp:13:14: error: use of undeclared identifier 'cpu'",
    ],
)
def test_a_kernel_in_another_namespace(error: str) -> None:
    said = explain(error, Path("log.txt"), "mine").splitlines()
    assert said[1:3] == [
        error,
        "kernels are functions in `namespace mine::cpu`, and `mine::cuda` in .cu files",
    ]


MISTAKES = {
    "it gives nothing": (
        "void twice(const TwiceView<T>& op) noexcept {}",
        "a kernel returns `opgen::Status`: end it with `return opgen::Status::ok;`",
    ),
    "it returns nothing": (
        "opgen::Status twice(const TwiceView<T>& op) noexcept { op.y[0] = 0; }",
        "a kernel returns `opgen::Status`: end it with `return opgen::Status::ok;`",
    ),
    "it is no template": (
        "struct X; opgen::Status twice(const TwiceView<float>& op) noexcept { return {}; }",
        "a kernel is a template, compiled for each dtype: `template <class T>`, `const TwiceView<T>&`",
    ),
    "it takes pointers": (
        "opgen::Status twice(const T*, T*, int64_t) noexcept { return {}; }",
        "the kernel `twice` takes one argument, `const TwiceView<T>&`: ",
    ),
    "it has another name": (
        "opgen::Status twofold(const TwiceView<T>& op) noexcept { return {}; }",
        "the kernel is a function template called `twice` in `namespace mine::cpu`",
    ),
    "a brace is missing": (
        "opgen::Status twice(const TwiceView<T>& op) noexcept { if (op.n) { return {}; }",
        "a brace is missing in a kernel: the one that opens at twice/twice.cpp:2:",
    ),
    "its source is gone": (None, "the kernel's source twice/twice.cpp is gone: run `opgen render`"),
}
INSTANCES = """#include <cstdint>
namespace opgen { enum class Status : int32_t { ok }; }
namespace mine { template <class T> struct TwiceView { T* y; int64_t n; }; }
#include "twice/twice.cpp"
namespace mine {
opgen::Status a() { return cpu::twice(TwiceView<float>{}); }
opgen::Status b() { return cpu::twice(TwiceView<double>{}); }
}
"""


@pytest.mark.parametrize("case", MISTAKES)
def test_mistakes_in_a_kernel_are_in_words_of_our_own(tmp_path: Path, case: str) -> None:
    text, advice = MISTAKES[case]
    kernel = tmp_path / "twice" / "twice.cpp"
    kernel.parent.mkdir()
    if text is not None:
        kernel.write_text(f"// A kernel.\nnamespace mine::cpu {{ template <class T>\n{text}\n}}\n")
    (tmp_path / "twice_cpu.cpp").write_text(INSTANCES)
    compiler = shutil.which("c++")
    assert compiler is not None
    command = [
        compiler,
        "-std=c++17",
        "-Werror=return-type",
        "-fsyntax-only",
        "-I",
        str(tmp_path),
        "twice_cpu.cpp",
    ]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    said = explain(ran.stderr, Path("log.txt"), "mine").splitlines()
    assert said[2].startswith(advice), ran.stderr
    assert len(said) == 4, "one error, not one for each dtype"


def library() -> Path:
    """Return the path of an existing shared library."""
    return Path(importlib.import_module("_ctypes").__file__)


def test_a_library_that_was_cut_short_is_refused(tmp_path: Path) -> None:
    """A truncated library raises ImportError.

    Loading it would kill the process with a bus error.
    """
    (tmp_path / "glibc-hwcaps/x86-64-v3").mkdir(parents=True)
    whole = tmp_path / f"libx_torch-{PACKAGE_HASH}.so"
    whole.write_bytes(library().read_bytes())
    refuse_truncated(tmp_path)
    for place in (whole, tmp_path / f"glibc-hwcaps/x86-64-v3/libx_kernels-{PACKAGE_HASH}.so"):
        place.write_bytes(library().read_bytes()[: _mapped(library()) // 3])
        with pytest.raises(ImportError, match=rf"{place.name} was cut short: .* run `opgen build`"):
            refuse_truncated(tmp_path)
        place.write_bytes(library().read_bytes())
    # A library of another package is never loaded.
    (tmp_path / f"libx_torch-{NEW}.so").write_bytes(
        library().read_bytes()[: _mapped(library()) // 3]
    )
    whole.write_bytes(b"no library, of which the loader says so")
    refuse_truncated(tmp_path)
    load = "import ctypes, sys; ctypes.CDLL(sys.argv[1])"
    whole.write_bytes(library().read_bytes()[: _mapped(library()) // 3])
    killed = subprocess.run([sys.executable, "-c", load, whole], capture_output=True)
    assert killed.returncode != 0


def test_a_library_of_another_package_is_named(tmp_path: Path) -> None:
    name = f"libx_torch-{PACKAGE_HASH}.so"
    with pytest.raises(ImportError, match=rf"{name} is missing: run `opgen build`"):
        find_library(tmp_path, "x", "torch")
    (tmp_path / f"libx_torch-{OLD}.so").touch()
    said = f"libx_torch-{OLD}.so was built of another state of this package, .* run `opgen build`"
    with pytest.raises(ImportError, match=said):
        find_library(tmp_path, "x", "torch")
    (tmp_path / name).touch()
    assert find_library(tmp_path, "x", "torch") == tmp_path / name


def test_kernels_for_a_better_processor_are_named(tmp_path: Path) -> None:
    """The error for a missing kernel library names the CPU level for which the kernels were built.

    The dynamic loader's own message only reports that the file does not exist.
    """
    error = (
        f"libx_kernels-{PACKAGE_HASH}.so: cannot open shared object file: No such file or directory"
    )
    assert str(not_loaded(error, tmp_path)) == f"{error}: run `opgen build`"
    kernels = tmp_path / "glibc-hwcaps/x86-64-v4" / f"libx_kernels-{PACKAGE_HASH}.so"
    kernels.parent.mkdir(parents=True)
    kernels.touch()
    said = str(not_loaded(error, tmp_path))
    assert f"the kernels in {tmp_path} were built for processors of x86-64-v4" in said
    assert "run `opgen build` on this machine" in said
    assert str(not_loaded("undefined symbol", tmp_path)) == "undefined symbol: run `opgen build`"


def test_truncated_libraries_are_refused_before_they_are_loaded(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The dynamic loader may kill a process that loads a truncated library."""
    (tmp_path / f"lib{NAMESPACE}_torch-{PACKAGE_HASH}.so").write_bytes(b"")
    (tmp_path / f"lib{NAMESPACE}_kernels-{PACKAGE_HASH}.so").write_bytes(
        (LIBRARIES / f"lib{NAMESPACE}_torch-{PACKAGE_HASH}.so").read_bytes()[:8192]
    )
    monkeypatch.setattr(libraries, "LIBRARIES", tmp_path)
    monkeypatch.setattr(libraries, "refuse_another", lambda *_: None)
    read = list[str]()
    with pytest.raises(ImportError, match="was cut short"):
        libraries.load("torch", read.append)
    assert read == []


def test_an_undefined_symbol_is_an_error_of_the_build(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An undefined symbol in a kernel makes the build fail, not the first call of the kernel."""
    monkeypatch.setenv("CMAKE_BUILD_TYPE", "Debug")
    project = ROOT / "tests/outside/project"
    config = Config(tmp_path, out="acme_ops", package="acme_ops", namespace="acme_ops")
    shutil.copytree(project / "kernels", tmp_path / "kernels")
    source = tmp_path / "kernels/scaled_square/scaled_square.cpp"
    text = source.read_text().replace(
        "namespace acme_ops::cpu {", "double nowhere(double);\n\nnamespace acme_ops::cpu {", 1
    )
    source.write_text(text.replace("op.desc.scale", "nowhere(op.desc.scale)"))
    found, *_ = load([project / "specs/scaled_square.toml"], config)
    write(render(found, ["core", "cpp"]), config.out_dir)
    with pytest.raises(build.BuildError, match="undefined reference to `nowhere"):
        build.build(config, config.out_dir, frameworks=NO_FRAMEWORKS, say=lambda _: None)


def test_free_threaded_python_is_refused_by_name(tmp_path: Path) -> None:
    out = tmp_path / "generated"
    out.mkdir()
    (out / "CMakeLists.txt").write_text("")
    free = replace(find_frameworks(), python_suffix=".cpython-313t-x86_64-linux-gnu.so")
    with pytest.raises(build.BuildError, match="free-threaded Python is not supported"):
        build.build(Config(tmp_path), out, frameworks=free)


@pytest.mark.parametrize(
    "units, options, shared",
    [
        (4, "", True),
        (3, "", False),
        (4, "-DOPGEN_UNITY=ON", False),
        (4, "-DCMAKE_CXX_COMPILER_LAUNCHER=/usr/bin/env", False),
    ],
)
def test_many_adapters_share_a_parsed_header(
    tmp_path: Path, units: int, options: str, shared: bool
) -> None:
    (tmp_path / "x.cpp").write_text("")
    names = [f"x{n}.cpp" for n in range(units)]
    for name in names:
        (tmp_path / name).write_text("")
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.26)\n"
        "project(host LANGUAGES CXX)\n"
        "find_package(opgen REQUIRED CONFIG)\n"
        "opgen_project(NAMESPACE host PACKAGE 0123456789ab)\n"
        f"opgen_kernels(CPU x.cpp)\nopgen_jax({' '.join(names)})\n"
    )
    folder = tmp_path / "b"
    command = [
        *(build.tool("cmake"), "-G", "Ninja", "-S", str(tmp_path), "-B", str(folder)),
        f"-Dopgen_DIR={cmake_dir()}",
        f"-DCMAKE_MAKE_PROGRAM={build.tool('ninja')}",
        f"-DOPGEN_JAX_INCLUDE={tmp_path}",
        "-DCMAKE_CXX_COMPILER_LAUNCHER=",
        *options.split(),
    ]
    made = subprocess.run(command, capture_output=True, text=True)
    assert made.returncode == 0, made.stderr
    assert ("cmake_pch" in (folder / "build.ninja").read_text()) == shared


def test_the_variables_of_a_project_stay_its_own(tmp_path: Path) -> None:
    """`find_package(opgen)` does not change the compiler flags of the project that calls it."""
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.26)\n"
        "project(host LANGUAGES CXX)\n"
        "get_cmake_property(before VARIABLES)\n"
        "foreach(name IN LISTS before)\n"
        '  set(_before_${name} "${${name}}")\n'
        "endforeach()\n"
        "find_package(opgen REQUIRED CONFIG)\n"
        "get_cmake_property(after VARIABLES)\n"
        "foreach(name IN LISTS after)\n"
        '  if(name MATCHES "^CMAKE_(CXX|CUDA|BUILD|INSTALL|POSITION|VISIBILITY)"\n'
        '     AND NOT "${_before_${name}}" STREQUAL "${${name}}")\n'
        '    message(FATAL_ERROR "${name} is now ${${name}}")\n'
        "  endif()\n"
        "endforeach()\n"
    )
    command = [
        build.tool("cmake"),
        "-G",
        "Ninja",
        f"-Dopgen_DIR={cmake_dir()}",
        f"-DCMAKE_MAKE_PROGRAM={build.tool('ninja')}",
        "-S",
        str(tmp_path),
        "-B",
        str(tmp_path / "b"),
    ]
    made = subprocess.run(command, capture_output=True, text=True)
    assert made.returncode == 0, made.stderr


def test_a_project_that_moves_is_built(small: Config, tmp_path: Path) -> None:
    """A project can be built after its folder was moved, although CMake alone would refuse."""
    built(small)
    moved = tmp_path.rename(tmp_path.with_name(f"{tmp_path.name}_moved"))
    built(Config(moved))


SLOW = """#!/bin/sh
case "$*" in *-c*small.cpp*)
  echo $$ > {pids}/compiler
  sleep 600 &
  echo $! > {pids}/its_child
  wait
esac
exec c++ "$@"
"""
CANCELLED = """
import sys
from pathlib import Path
from opgen.build.cmake import build
from opgen.cli import commands, main
from opgen.spec.config import Config
commands.build = lambda **_: len(build(Config(Path()), Path("generated")))
sys.exit(main.main(["build"]))
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_a_cancelled_build(small: Config, tmp_path: Path, number: signal.Signals) -> None:
    """A cancelled build stops its compilers.

    After SIGKILL the build folder stays locked while one runs.
    """
    pids = tmp_path / "pids"
    pids.mkdir()
    compiler = tmp_path / "slow++"
    compiler.write_text(SLOW.format(pids=pids))
    compiler.chmod(0o755)
    environment = {**os.environ, "CXX": str(compiler), "CMAKE_CXX_COMPILER_LAUNCHER": "env"}
    command = [sys.executable, "-c", CANCELLED]
    process = subprocess.Popen(command, cwd=small.root, env=environment)
    wait_for(lambda: (pids / "its_child").exists() and (pids / "its_child").read_text().strip())
    found = [int((pids / name).read_text()) for name in ("compiler", "its_child")]
    folder, codes = small.root / "build/opgen", {signal.SIGINT: 130, signal.SIGKILL: -9}
    try:
        process.send_signal(number)
        assert process.wait(30) == codes.get(number, 128 + number)
        alive = number is signal.SIGKILL
        assert [lives(each) for each in found] == [alive, alive] and free(folder) is not alive
    finally:
        for each in filter(lives, found):
            os.kill(each, signal.SIGKILL)
    wait_for(lambda: free(folder))


def lives(process: int) -> bool:
    """Return True if the process runs.

    A process that has ended but was not reaped does not count.
    """
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(") ")[2][0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def free(folder: Path) -> bool:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    finally:
        os.close(descriptor)
    return True


def wait_for(condition: Callable[[], object]) -> None:
    until = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.02)
