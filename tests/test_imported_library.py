"""A library that registers ops with PyTorch is imported as specs, and existing calls still work."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.slow

LIBRARY = """
#include <torch/library.h>
#include <ATen/ATen.h>

void silu_and_mul(at::Tensor& result, const at::Tensor& input) {
  auto halves = input.chunk(2, -1);
  result.copy_(at::silu(halves[0]) * halves[1]);
}
at::Tensor scale_rows(at::Tensor x, at::Tensor factors) {
  TORCH_CHECK(x.dim() == 2 && factors.dim() == 1 && x.size(0) == factors.size(0));
  auto y = at::empty_like(x);
  at::mul_out(y, x, factors.unsqueeze(1));
  return y;
}
TORCH_LIBRARY(taken_over, m) {
  m.def("silu_and_mul(Tensor! result, Tensor input) -> ()");
  m.def("scale_rows", &scale_rows);
}
TORCH_LIBRARY_IMPL(taken_over, CPU, m) { m.impl("silu_and_mul", &silu_and_mul); }
"""
CALLS = """
import pytest
import torch
import taken

@pytest.mark.parametrize("shape", [(3, 8), (2, 5, 16)])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_silu_and_mul(shape, dtype):
    x = torch.randn(shape, dtype=dtype)
    out = torch.full((*shape[:-1], shape[-1] // 2), torch.nan, dtype=dtype)
    assert torch.ops.taken_over.silu_and_mul(out, x) is None
    a, b = x.chunk(2, -1)
    torch.testing.assert_close(out, torch.nn.functional.silu(a) * b)
    compiled = torch.compile(torch.ops.taken_over.silu_and_mul, backend="aot_eager")
    again = torch.empty_like(out)
    compiled(again, x)
    torch.testing.assert_close(again, out)

@pytest.mark.parametrize("shape", [(3, 8), (5, 4)])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_scale_rows(shape, dtype):
    x, factors = torch.randn(shape, dtype=dtype), torch.randn(shape[0], dtype=dtype)
    torch.testing.assert_close(torch.ops.taken_over.scale_rows(x, factors), x * factors[:, None])
"""
REFERENCES = {
    "silu_and_mul": """
def silu_and_mul(xp, input):
    d = input.shape[-1] // 2
    a = input[..., :d]
    return a / (1 + xp.exp(-a)) * input[..., d:]
""",
    "scale_rows": """
def scale_rows(xp, x, factors):
    return x * factors[:, None]
""",
}
KERNELS = {
    "silu_and_mul": """
  for (int64_t i = 0; i < op.result.numel(); ++i) {
    const int64_t n = op.desc.n, at = i / n * 2 * n + i % n;
    const T a = op.input.data[at];
    op.result.data[i] = a / (T(1) + std::exp(-a)) * op.input.data[at + n];
  }
  return opgen::Status::ok;
""",
    "scale_rows": """
  for (int64_t i = 0; i < op.y.numel(); ++i) {
    op.y.data[i] = op.x.data[i] * op.factors.data[i / op.desc.m];
  }
  return opgen::Status::ok;
""",
}


def run(folder: Path, *command: str) -> str:
    done = subprocess.run(
        [sys.executable, *command],
        cwd=folder,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(folder)},
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout + done.stderr


def test_a_library_taken_over(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(
        '[tool.opgen]\npackage = "p"\nout = "p"\nnamespace = "p"\ntargets = ["core", "cpp", "torch", "tests"]\n'
    )
    (tmp_path / "taken.cpp").write_text(LIBRARY)
    root = Path(torch.__file__).parent
    includes = (
        root / "include",
        root / "include/torch/csrc/api/include",
        sysconfig.get_path("include"),
    )
    launcher = [os.environ[name] for name in ("CMAKE_CXX_COMPILER_LAUNCHER",) if name in os.environ]
    subprocess.run(
        [
            *launcher,
            "g++",
            "-std=c++20",
            "-O0",
            "-fPIC",
            "-shared",
            *(f"-I{path}" for path in includes),
        ]
        + [str(tmp_path / "taken.cpp"), "-o", str(tmp_path / "libtaken.so")]
        + [f"-L{root / 'lib'}", "-ltorch", "-ltorch_cpu", "-lc10"],
        check=True,
    )
    (tmp_path / "taken.py").write_text(
        f"import torch\ntorch.ops.load_library({str(tmp_path / 'libtaken.so')!r})\n"
    )
    (tmp_path / "test_taken.py").write_text(CALLS)
    run(
        *(tmp_path, "-m", "opgen", "import", "torch", "taken_over::*", "--module", "taken"),
        *("--calls", "test_taken.py", "--source", "taken.cpp"),
    )
    assert "5 guesses left" in run(tmp_path, "-m", "opgen", "lint")
    specs = {op: (tmp_path / f"specs/{op}.toml").read_text() for op in KERNELS}
    assert 'outputs.result = { dtype = "T", shape = "*s n" }\n' in specs["silu_and_mul"]
    assert 'outputs.y      = { dtype = "T", shape = "n m" }\n' in specs["scale_rows"]
    run(tmp_path, "-m", "opgen", "scaffold")
    for op, body in KERNELS.items():
        (tmp_path / f"specs/{op}.py").write_text(REFERENCES[op])
        kernel = tmp_path / f"kernels/{op}/{op}.cpp"
        text = re.sub(r"  return opgen::Status::unsupported;.*\n", body, kernel.read_text())
        kernel.write_text(f"#include <cmath>\n\n{text}")
    run(tmp_path, "-m", "opgen", "build")
    # The rendered package replaces the library, and the calls stay unchanged.
    (tmp_path / "taken.py").write_text("import p.torch\n")
    assert "8 passed" in run(tmp_path, "-m", "pytest", "-q", "test_taken.py")
    assert " passed" in run(tmp_path, "-m", "pytest", "-q", "-x", "p/tests")
