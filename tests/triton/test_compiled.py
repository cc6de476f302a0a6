"""Code that Triton compiles ahead of time, and the messages if it cannot."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from opgen.build import triton as build_triton
from opgen.build.cmake import build, find_nvcc
from opgen.build.frameworks import Frameworks
from opgen.build.triton import MISSING, TritonError, compile_kernels
from opgen.build.triton_compiler import Task, _check, compile_task, parameters_of
from opgen.cli.main import main
from opgen.package import wheel
from opgen.spec.config import Config

pytestmark = pytest.mark.slow

RUNTIME = Path(__file__).parents[2] / "runtime" / "include"
KERNEL = """
import triton
import triton.language as tl


@triton.jit
def copy(x, y, d, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    at = tl.arange(0, BLOCK)
    {line}
    tl.store(y + row * d + at, v, mask=at < d)
"""
GOOD = "v = tl.load(x + row * d + at, mask=at < d)"
SIGNATURE = {"x": "*bf16", "y": "*bf16", "d": "i64"}


def package(folder: Path, line: str = GOOD) -> Path:
    """Return a package that lists one variant of a kernel, as `opgen render` does."""
    (folder / "kernels").mkdir()
    (folder / "kernels" / "copy.py").write_text(KERNEL.format(line=line))
    variant = {"signature": SIGNATURE, "constants": {"BLOCK": 64}, "multiples_of_16": ["x", "d"]}
    kernel = {"op": "copy", "platform": "cuda", "entry": "copy_cuda", "code": "copy_code"}
    kernel |= {"file": "copy.py", "function": "copy"}
    listed = {"kernels": [{**kernel, "num_warps": 2, "num_stages": 2, "variants": [variant]}]}
    (folder / "out" / "cpp").mkdir(parents=True)
    (folder / "out" / "cpp" / "copy_triton.json").write_text(json.dumps(listed))
    return folder


def task(folder: Path, target: str, line: str = GOOD) -> Task:
    package(folder, line)
    listed = json.loads((folder / "out" / "cpp" / "copy_triton.json").read_text())
    (kernel,) = listed["kernels"]
    return Task.of(kernel, kernel["variants"][0], folder / "kernels", target)


@pytest.mark.parametrize("target, word", [("cuda:100", b"\x7fELF"), ("hip:gfx942", b"\x7fELF")])
def test_gpus_that_are_not_there(tmp_path: Path, target: str, word: bytes) -> None:
    pytest.importorskip("triton", minversion="3.9")
    done = compile_task(task(tmp_path, target))
    assert (done.error, done.name, done.binary[:4]) == ("", "copy", word)
    assert done.threads == (128 if target.startswith("hip") else 64)
    if target.startswith("cuda"):
        sizes = parameters_of(done.binary)
        assert sizes[:3] == [(0, 8), (8, 8), (16, 8)] and len(sizes) <= 5
        assert done.ptx == ""  # sm_100a code runs only there


def test_offsets_have_64_bits(tmp_path: Path) -> None:
    pytest.importorskip("triton", minversion="3.9")
    given = task(tmp_path, "cuda:80")
    done = compile_task(given)
    assert not done.error
    # The row number, widened from 32 bits, times `d`: the lower half of a product of 64 bits.
    assert re.search(r"(mul|mad)\.lo\.s64|mul\.lo\.u64", done.ptx)
    assert not re.search(r"(mul|mad)\.lo\.s32", done.ptx)


def test_parameters_are_held_against_the_launch() -> None:
    _check([8, 4, 1, 8], [(0, 8), (8, 4), (12, 1), (16, 8), (24, 8)])
    for given, found in (
        ([8, 4], [(0, 8), (8, 8)]),
        ([8, 8], [(0, 8)]),
        ([8], [(0, 8), (8, 8), (16, 8), (24, 8)]),
        ([8], [(0, 8), (8, 4)]),
    ):
        with pytest.raises(ValueError, match="its code takes"):
            _check(given, found)


def test_an_error_is_at_the_kernels_line(tmp_path: Path) -> None:
    pytest.importorskip("triton", minversion="3.9")
    given = package(tmp_path, "v = tl.load(x + row * d + at, mask=at < nowhere)")
    said: list[str] = []
    with pytest.raises(TritonError) as error:
        compile_kernels(given / "out", given / "kernels", given / "code", ["90"], 1, said.append)
    line = KERNEL.splitlines().index("    {line}") + 1
    first, where = str(error.value).splitlines()[1:3]
    assert first.startswith(f"{given / 'kernels' / 'copy.py'}:{line}: error: ")
    assert "nowhere" in first
    assert where == "  in copy(x: *bf16, y: *bf16, d: i64, BLOCK: 64) for cuda:90"


def test_a_file_that_fails_to_run(tmp_path: Path) -> None:
    pytest.importorskip("triton", minversion="3.9")
    done = compile_task(task(tmp_path, "cuda:80", "v = ("))
    assert "copy.py: error: SyntaxError" in done.error


def test_the_source_changes_with_the_code_alone(tmp_path: Path) -> None:
    pytest.importorskip("triton", minversion="3.9")
    given = package(tmp_path)
    arguments = given / "out", given / "kernels", given / "code", ["80", "90a"], 1

    def made() -> tuple[Path, int, str]:
        code = compile_kernels(*arguments, lambda _: None)
        assert code is not None
        return code.source, code.source.stat().st_mtime_ns, code.macro

    first, again = made(), made()
    assert first == again and first[2] == "80,89,80,9999,90,90"
    (given / "kernels" / "copy.py").write_text(
        KERNEL.format(line=GOOD.replace("d)", "d, other=1)"))
    )
    changed = compile_kernels(*arguments, lambda _: None)
    assert changed is not None and changed.source.stat().st_mtime_ns > first[1]
    embedded = re.findall(r'incbin \\"(.*?)\\"', changed.source.read_text())
    assert {*map(str, (given / "code").glob("*.bin"))} == {*embedded} and len(embedded) == 3


def test_without_triton_kernels_are_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = package(tmp_path)
    said: list[str] = []
    monkeypatch.setattr(build_triton, "find_spec", lambda name: None)
    assert not compile_kernels(
        given / "out", given / "kernels", given / "code", ["80"], 1, said.append
    )
    assert said == [MISSING]


PROGRAM = """
#include <cstdio>
#include <cstdlib>

#include "scaled_call.h"

int main(int count, char** given) {
  for (const int64_t d : {64, 65}) {
    const int64_t sizes[] = {3, d}, strides[] = {d, 1}, rows[] = {1};
    const opgen::Buffer x{nullptr, sizes, strides, 2, opgen::ElementType::F32};
    const opgen::Buffer kept{nullptr, sizes, rows, 1, opgen::ElementType::BOOL};
    const opgen::Buffer bias{nullptr, nullptr, nullptr, -1, opgen::ElementType::F32};
    const scaled_ops::ScaledCall call(x, kept, bias, 2.0, false);
    for (int n = 1; n < count; ++n) {
      const opgen::DeviceProperties device{std::atoi(given[n]), 1};
      const auto platform = opgen::Platform::cuda;
      const std::string unmet = call.unmet(platform, 0, device);
      std::printf("%d: %s\\n", call.kernel(platform, device), unmet.c_str());
    }
  }
}
"""


@pytest.mark.parametrize(
    "ranges, archs, wide, narrow",
    [
        ("80,89,80,9999", "70 80 120", "-1 0 0", "-1 1 1"),
        ("90,90", "89 90 100", "-1 0 -1", "-1 1 -1"),
        ("", "80", "-1", "-1"),
    ],
)
def test_a_call_takes_a_kernel_on_devices_it_was_compiled_for(
    project: Path, tmp_path: Path, ranges: str, archs: str, wide: str, narrow: str
) -> None:
    source = tmp_path / "chosen.cpp"
    source.write_text(PROGRAM)
    command = [os.environ.get("CXX") or "c++", "-std=c++17", "-O0", str(source)]
    command += ["-I", str(project / "scaled_ops" / "cpp"), "-I", str(RUNTIME)]
    command += [f"-DOPGEN_TRITON_FOR={ranges}"] if ranges else []
    subprocess.run([*command, "-o", str(tmp_path / "chosen")], check=True)
    done = subprocess.run(
        [str(tmp_path / "chosen"), *archs.split()], capture_output=True, text=True, check=True
    )
    lines = [line.partition(": ") for line in done.stdout.splitlines()]
    assert [kernel for kernel, _, _ in lines] == [*wide.split(), *narrow.split()]
    for (kernel, _, unmet), arch in zip(lines, archs.split()):
        expected = "" if kernel == "0" else f"code for this device, got arch = {arch}"
        assert unmet == expected
    assert all("d <= 64" in unmet for *_, unmet in lines[len(archs.split()) :])


CUDA = """
#include "mixed.h"

namespace scaled_ops::cuda {

template <class T>
opgen::Status mixed(const MixedView<T>&) noexcept {
  return opgen::Status::unsupported;
}

}  // namespace scaled_ops::cuda
"""


@pytest.mark.slow
@pytest.mark.skipif(find_nvcc() is None, reason="there is no nvcc")
@pytest.mark.parametrize("there", [True, False], ids=["with Triton", "without"])
def test_one_list_of_both_languages(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, there: bool
) -> None:
    folder = tmp_path / "project"
    shutil.copytree(project, folder, ignore=shutil.ignore_patterns("build", "lib"))
    spec = (folder / "specs" / "scaled.toml").read_text().partition("\n[ops.halved]")[0]
    mixed = spec.replace("ops.scaled", "ops.mixed").replace('"slow"', '"triton_slow"')
    mixed = mixed.replace('    "reference",\n', '    "cuda",\n    "reference",\n')
    (folder / "specs" / "mixed.toml").write_text(mixed)
    (folder / "kernels" / "mixed").mkdir()
    (folder / "kernels" / "mixed" / "mixed.cu").write_text(CUDA)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("CUDAARCHS", "80")
    monkeypatch.setenv("OPGEN_CPU_LEVELS", "x86-64-v3 x86-64-v4")
    if not there:
        monkeypatch.setattr(build_triton, "find_spec", lambda name: None)
    assert main(["render", "specs"]) == 0
    config = Config(folder, package="scaled_ops", namespace="scaled_ops")
    libraries = build(config, folder / "scaled_ops", frameworks=Frameworks(*[""] * 9))
    told = {
        file: subprocess.run(["nm", str(file)], capture_output=True, text=True).stdout
        for file in libraries
    }
    # The library is linked once for all CPU levels.
    assert sum("_kernels-" in file.name for file in told) == 3
    (symbols,) = (text for file, text in told.items() if "_cuda" in text)
    code = re.findall(r"(\w) scaled_ops_mixed_cuda_\w+_code$", symbols, re.MULTILINE)
    # A data symbol, or a weak one, which is null if it is missing.
    assert {each.lower() for each in code} == {"d" if there else "w"}
    assert "scaled_ops_mixed_cuda" in symbols and "scaled_ops_scaled_cuda" in symbols


def test_a_wheel_is_built_with_the_code(project: Path, tmp_path: Path) -> None:
    config = Config(
        project,
        out="scaled_ops",
        package="scaled_ops",
        namespace="scaled_ops",
        cuda_archs=("80",),
        hip_archs=("gfx942",),
    )
    said: list[str] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("CUDAARCHS", raising=False)
        patch.delenv("PYTORCH_ROCM_ARCH", raising=False)
        code = wheel._triton(config, tmp_path, said.append)
    assert {*code} == {"cuda", "hip"} and said == [
        "kernels in Triton are compiled for compute capability 80: 22 variants",
        "kernels in Triton are compiled for gfx942: 2 variants",
    ]
    defines = wheel._defines(config, code)
    assert defines["cmake.define.OPGEN_TRITON"] == str(tmp_path / "code.cpp")
    assert defines["cmake.define.OPGEN_TRITON_FOR"] == "80,89,80,9999"
    assert defines["cmake.define.OPGEN_TRITON_HIP"] == str(tmp_path / "hip" / "code.cpp")
    assert defines["cmake.define.OPGEN_TRITON_FOR_HIP"] == "942,942"
    assert wheel._defines(config, {})["cmake.define.OPGEN_TRITON"] == ""
