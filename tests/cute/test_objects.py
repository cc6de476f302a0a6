"""Arguments that the entry passes to a function that CuTe DSL exported.

Nothing runs: there is no GPU here.
"""

from __future__ import annotations

import json
import os
import shutil
import struct
import subprocess
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import pytest

from opgen.build.cmake import tool
from opgen.build.cute import LIBRARY, library_folder
from opgen.cli.main import main
from opgen.language.dtypes import DTYPES
from opgen.package import wheel
from opgen.package.sources import write_sources
from opgen.spec.config import load_config
from tests.cute.conftest import HERE, built, rendered
from tests.triton.calls import LAUNCH_FAILED, OK, STREAM, X, Y, call_entry, rendered_core


def call(
    project: Path,
    library: Path,
    driver: Path,
    log: Path,
    dtype: str,
    *,
    rows: int = 3,
    d: int = 128,
    times: int = 1,
    result: int = 0,
) -> tuple[list[int], list[list[str]]]:
    """The entry's status, and what drivers and objects have written."""
    core = rendered_core(project, "cute_ops").scaled
    code = DTYPES[dtype].code
    given = {
        "entry": "cute_ops_scaled_cuda",
        "descriptor": core.pack(batch=rows, batch_rank=1, d=d, by=0.5, T=code).hex(),
        "buffers": [(Y, [rows, d], code), (X, [rows, d], code)],
        "context": {"stream": STREAM, "device": 2, "kernel": 0 if dtype == "bf16" else 1},
        "grid": (1, 1, 1),
        "times": times,
    }
    run = call_entry(library, given, driver, log, arch="90", result=str(result))
    return run.statuses, run.said


@pytest.mark.parametrize(
    "dtype, x, y",
    [
        ("bf16", struct.pack("<4q", X, 3, 128, 128), struct.pack("<4q", Y, 3, 128, 128)),
        # 128 columns are constants of the code.
        ("f32", struct.pack("<qi", X, 3), struct.pack("<qi", Y, 3)),
    ],
)
def test_a_function_gets_what_its_header_has(
    project: Path, library: Path, false_cuda: Path, tmp_path: Path, dtype: str, x: bytes, y: bytes
) -> None:
    statuses, said = call(project, library, false_cuda, tmp_path / "log", dtype, times=2)
    assert statuses == [OK, OK]
    once = [
        ["call", "5"],
        ["x", x.hex()],
        ["y", y.hex()],
        ["by", struct.pack("<f", 0.5).hex()],
        ["stream", struct.pack("<q", STREAM).hex()],
        ["pop"],
    ]
    # The code is brought to the device once, in the context of frameworks.
    assert said == [
        ["push", "0x102"],
        ["library", "1"],
        ["device", "2", "0x200"],
        *once,
        ["push", "0x102"],
        *once,
    ]


def test_a_failure_is_told(project: Path, library: Path, false_cuda: Path, tmp_path: Path) -> None:
    statuses, _ = call(project, library, false_cuda, tmp_path / "log", "bf16", result=719)
    assert statuses == [LAUNCH_FAILED]


def test_nothing_is_called_for_nothing(
    project: Path, library: Path, false_cuda: Path, tmp_path: Path
) -> None:
    assert call(project, library, false_cuda, tmp_path / "log", "bf16", rows=0) == ([OK], [])


def test_the_libraries_are_beside_each_other(library: Path) -> None:
    assert (library.parent / LIBRARY).is_file()
    assert json.loads((library.parent / "BUILD.json").read_text())["cuda"] is True


def edited(project: Path, folder: Path, edit: Callable[[str], str], name: str) -> Path:
    """A copy of what is rendered from, with one file changed."""
    shutil.copytree(project, folder, ignore=shutil.ignore_patterns("build", "cute_ops"))
    (folder / name).write_text(edit((folder / name).read_text()))
    return folder


SPEC, HEADER = "specs/scaled.toml", "kernels/scaled/scaled_sm90.h"


@pytest.mark.parametrize(
    "name, old, new, says",
    [
        (SPEC, "scaled/scaled_sm90.o", "scaled/other.o", "there is no kernels/scaled/other.o"),
        (SPEC, '"*batch d"', '"*batch h d"', 'has the shape "*batch h d", 3 modes, and'),
        (SPEC, "attrs.by ", "attrs.factor ", "it takes `by`, which is no field of the descriptor"),
        (SPEC, '"T == bf16", ', '"T == f32", ', "`x` is bf16 in it, and f32 in the spec"),
        (HEADER, "float by", "int32_t by", "it takes `by` as int32_t, and the descriptor has f64"),
        (HEADER, "cudaStream_t stream", "float stream", "it takes no stream"),
        (HEADER, "_wrapper(", "_other(", "it declares no function as `export_to_c`"),
        (HEADER, "x, y, &by,", "y, x, &by,", "is not given its parameters in their order"),
        (HEADER, "_cuda_init", "_start", "is not called as functions of CuTe DSL 4 are"),
    ],
)
def test_what_does_not_fit_is_found_when_it_is_rendered(
    project: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    name: str,
    old: str,
    new: str,
    says: str,
) -> None:
    folder = edited(project, tmp_path / "edited", lambda text: text.replace(old, new), name)
    monkeypatch.chdir(folder)
    assert main(["render", "specs"]) == 1
    output = capsys.readouterr().out
    assert "OG037" in output and says in output


def test_a_missing_header(
    project: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    folder = edited(project, tmp_path / "edited", str, SPEC)
    (folder / HEADER).unlink()
    monkeypatch.chdir(folder)
    assert main(["render", "specs"]) == 1 and f"{HEADER}: " in capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.skipif(find_spec("cutlass") is None, reason="there is no nvidia-cutlass-dsl")
def test_what_the_dsl_exports(false_cuda: Path, tmp_path: Path) -> None:
    """Its own objects, for sm_90, through a runtime that launches nothing."""
    folder = rendered(tmp_path / "project")
    kernels = folder / "kernels" / "scaled"
    committed = {file.name: file.read_text() for file in kernels.glob("*.h")}
    command = [sys.executable, str(HERE / "export.py"), str(kernels)]
    subprocess.run(command, env={**os.environ, "CUTE_DSL_ARCH": "sm_90a"}, check=True)
    assert {file.name: file.read_text() for file in kernels.glob("*.h")} == committed
    library = built(folder)
    for dtype in ("bf16", "f32"):
        log = tmp_path / dtype
        statuses, said = call(folder, library, false_cuda, log, dtype, rows=5)
        assert statuses == [OK], said
        (launch,) = (line[1:] for line in said if line[0] == "launch")
        assert launch == ["5,1,1", "128,1,1", hex(STREAM), "0x300", "1"]


@pytest.mark.skipif(find_spec("cutlass") is None, reason="there is no nvidia-cutlass-dsl")
def test_where_the_runtime_is() -> None:
    assert (Path(library_folder()) / LIBRARY).is_file()


def test_a_source_distribution_has_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = rendered(tmp_path / "project")
    with (folder / "pyproject.toml").open("a") as file:
        file.write('\n[project]\nname = "cute-ops"\nversion = "1"\n')
    write_sources(load_config(folder)[0], tmp_path / "sources")
    kernels = tmp_path / "sources" / "kernels" / "scaled"
    names = {file.name for file in kernels.iterdir()}
    assert names == {"libcute_dsl_runtime.so"} | {
        f"{name}_sm90.{suffix}" for name in ("scaled", "columns") for suffix in ("h", "o")
    }
    monkeypatch.setattr(wheel, "library_folder", lambda: "/the/runtime")
    config = load_config(folder)[0]
    assert wheel._defines(config, {})["cmake.define.OPGEN_CUTE_LIB"] == "/the/runtime"


def test_its_wheel_is_one_for_cuda(project: Path, tmp_path: Path) -> None:
    """Though there is nothing for nvcc to compile."""
    write_sources(load_config(project)[0], tmp_path / "sources")
    configure = [tool("cmake"), "-G", "Ninja", f"-DCMAKE_MAKE_PROGRAM={tool('ninja')}"]
    configure += [f"-DPython_EXECUTABLE={sys.executable}", "-B", str(tmp_path)]
    subprocess.run([*configure, "-S", str(tmp_path / "sources")], check=True, capture_output=True)
    assert json.loads((tmp_path / "BUILD.json").read_text())["cuda"] is True
