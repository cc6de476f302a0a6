"""AMD's GPUs: the code compiled for them, and an entry function's calls of HIP.

No ROCm is needed.
"""

from __future__ import annotations

import json
import os
import struct
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from opgen.build import triton_compiler
from opgen.build.machine import HIP_ARCHS, hip_archs
from opgen.build.triton import amd_arch
from opgen.build.triton_compiler import Task, amd_facts, compile_task
from tests.triton.calls import (
    KEPT,
    LAUNCH_FAILED,
    NO_KERNEL,
    OK,
    STREAM,
    X,
    Y,
    call_scaled,
    compiled,
    parameters_as_written,
    rendered_core,
)


@pytest.fixture
def called(project: Path, false_hip: Path, tmp_path: Path) -> Any:
    """Return a function that calls the entry of `scaled` twice and returns the HIP calls."""
    call = partial(call_scaled, project, log=tmp_path / "log", platform="hip", times=2, d=300)
    return partial(call, driver=false_hip, function="anyhow", arch="gfx942")


@pytest.mark.parametrize("dtype, triton", [("bf16", "bf16"), ("f32", "fp32")])
def test_a_call_loads_and_launches_the_code_for_it(
    called: Any, project: Path, dtype: str, triton: str
) -> None:
    run = called(dtype=dtype)
    wanted = compiled(project, "anyhow", "hip:gfx942", x=f"*{triton}")
    assert run.statuses == [OK, OK] and run.images == [wanted.binary]
    assert run.of("function") == [["anyhow"]]
    # The device of the call, and after it the previous device.
    assert [device for device, *_ in run.of("device")] == ["2", "1", "2", "1"]
    first, second = run.of("launch")
    grid, block, shared, stream, no_extra, *parameters = first
    assert first == second and (grid, block) == ("3,3,1", "256,1,1")
    assert (int(shared), int(stream, 16), no_extra) == (wanted.shared, STREAM, "1")
    given = struct.pack("<4qf4xq16x", X, KEPT, Y, 300, 0.5, 1)
    sizes = [(0, 8), (8, 8), (16, 8), (24, 8), (32, 4), (40, 8), (48, 8), (56, 8)]
    assert parameters == parameters_as_written(given, sizes)  # the last two are scratch memory


@pytest.mark.parametrize("arch", ["gfx90a", "gfx1100", "gfx"])
def test_a_device_without_code(called: Any, arch: str) -> None:
    run = called(arch=arch)
    assert run.statuses == [NO_KERNEL] * 2 and not run.images


def test_without_hip_a_launch_fails(called: Any, tmp_path: Path) -> None:
    assert called(driver=tmp_path) == ([LAUNCH_FAILED] * 2, [], [])


def test_nothing_is_launched_for_nothing(called: Any) -> None:
    assert called(rows=0) == ([OK, OK], [], [])


def test_parameters_are_those_of_the_code(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[tuple[list[tuple[int, int]], int]] = []

    def facts(assembly: str) -> tuple[list[tuple[int, int]], int]:
        found.append(amd_facts(assembly))
        return [(0, 8), (8, 8), (16, 4)], 64

    monkeypatch.setattr(triton_compiler, "amd_facts", facts)
    listed = json.loads((project / "scaled_ops" / "cpp" / "scaled_triton.json").read_text())
    (kernel,) = (k for k in listed["kernels"] if k["platform"] == "hip")
    task = Task.of(kernel, kernel["variants"][0], project / "kernels", "hip:gfx942")
    assert "its code takes [(0, 8), (8, 8), (16, 4)]" in compile_task(task).error
    assert found[0][0][-3:] == [(40, 8), (48, 8), (56, 8)] and found[0][1] == 64
    facts_of_half = lambda _: (found[0][0], 32)
    monkeypatch.setattr(triton_compiler, "amd_facts", facts_of_half)
    assert "its waves have 32 threads, and 64 are launched" in compile_task(task).error


STREAM_OF_TORCH = """
extern "C" __attribute__((visibility("default"))) int aoti_torch_get_current_cuda_stream(
    int, void** stream) {
  *stream = reinterpret_cast<void*>(0x7777);
  return 0;
}
"""
CALL = """
import sys
import torch
torch.ops.load_library(sys.argv[1])
x, kept = torch.ones(3, 300, dtype=torch.bfloat16), torch.ones(3, dtype=torch.bool)
key = torch._C.DispatchKeySet(torch._C.DispatchKey.CUDA)
y = torch.ops.scaled_ops.scaled.default.redispatch(key, x, kept, None, 0.5, True)
print(x.data_ptr(), kept.data_ptr(), y.data_ptr())
"""


@pytest.mark.slow
def test_pytorch_for_rocm_calls_it_by_the_key_of_cuda(
    project: Path, false_hip: Path, tmp_path: Path
) -> None:
    """PyTorch for ROCm calls a kernel by the dispatch key of CUDA.

    The PyTorch of this test has no GPU: its stream is fake, and CPU tensors are passed as CUDA
    tensors.
    """
    torch = Path(pytest.importorskip("torch").__file__).parent
    package, runtime = project / "scaled_ops", Path(__file__).parents[2] / "runtime"
    (tmp_path / "stream.cpp").write_text(STREAM_OF_TORCH)
    (kernels,) = (package / "lib").rglob("libscaled_ops_gpus-*.so")
    command = [
        os.environ.get("CXX") or "c++",
        "-std=c++17",
        "-O0",
        "-fPIC",
        "-shared",
        "-DUSE_ROCM",
    ]
    command += ["-DOPGEN_NAMESPACE=scaled_ops", "-DOPGEN_TRITON_FOR_HIP=942,942"]
    command += ["-DTORCH_TARGET_VERSION=0x020a000000000000ULL", "-Wall", "-Wextra", "-Werror"]
    command += [f"-I{package / 'cpp'}", f"-I{runtime / 'include'}"]
    command += [
        f"-I{runtime / 'adapters' / 'torch' / 'include'}",
        "-isystem",
        str(torch / "include"),
    ]
    command += [str(package / "cpp" / "scaled_torch.cpp"), str(tmp_path / "stream.cpp")]
    command += [str(kernels), f"-Wl,-rpath,{kernels.parent}", f"-L{torch / 'lib'}"]
    library = tmp_path / "librocm.so"
    subprocess.run([*command, "-ltorch", "-ltorch_cpu", "-lc10", "-o", str(library)], check=True)
    environment = {
        **os.environ,
        "LD_LIBRARY_PATH": str(false_hip),
        "FALSE_GPU_LOG": str(tmp_path / "log"),
        "FALSE_GPU_ARCH": "gfx942",
        "FALSE_GPU_PARAMETERS": "8,8,8,8,4,8,8,8",
    }
    done = subprocess.run(
        [sys.executable, "-c", CALL, str(library)], env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    x, kept, y = map(int, done.stdout.split())
    said = [line.split() for line in (tmp_path / "log").read_text().splitlines()]
    ((grid, block, _, stream, _, *parameters),) = (s[1:] for s in said if s[0] == "launch")
    assert (grid, block, int(stream, 16)) == ("3,3,1", "256,1,1", STREAM)
    given = struct.pack("<4qf4xq16x", x, kept, y, 300, 0.5, 1)
    assert "".join(parameters) == (given[:36] + given[40:]).hex()


@pytest.mark.slow
@pytest.mark.parametrize("target, threads", [("gfx90a", 256), ("gfx950", 256), ("gfx1100", 128)])
def test_other_gpus(project: Path, target: str, threads: int) -> None:
    done = compiled(project, "anyhow", f"hip:{target}", x="*fp32")
    assert done.threads == threads


@pytest.mark.parametrize(
    "name, number", [("gfx90a", 910), ("gfx942", 942), ("gfx950", 950), ("gfx1201", 1201)]
)
def test_what_requirements_call_a_gpu(project: Path, name: str, number: int) -> None:
    runtime = sys.modules[rendered_core(project, "scaled_ops").TensorSpec.__module__]
    assert amd_arch(name) == runtime.amd_arch(f"{name}:sramecc+") == number


@pytest.mark.parametrize("name", ["80", "gfx9", "gfx94x", "gfx90A", "sm_90"])
def test_what_is_no_gpu_of_amds(name: str) -> None:
    with pytest.raises(ValueError, match="expected a name such as gfx942"):
        amd_arch(name)


def test_the_gpus_of_a_machine(tmp_path: Path) -> None:
    assert hip_archs(tmp_path) == HIP_ARCHS
    for n, version in enumerate((0, 90402, 90010, 90402, 110000)):
        (tmp_path / str(n)).mkdir()
        facts = f"cpu_cores_count 0\ngfx_target_version {version}\nsimd_count 4\n"
        (tmp_path / str(n) / "properties").write_text(facts)
    assert hip_archs(tmp_path) == ("gfx1100", "gfx90a", "gfx942")
