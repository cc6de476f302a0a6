"""`opgen judge OP SOLUTION.json`: it reads Solutions of FlashInfer-Bench and writes Traces."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from opgen.bench.sizes import Size
from opgen.cli.main import main
from opgen.judge import speed

pytest.importorskip("torch")
PROJECT = Path(__file__).parent / "project"
RETURNS = """
from .parts.bent import bent

def run(x, scale):
    return bent(x, scale)
"""
FILLS = RETURNS.replace("scale):", "scale, y):").replace(
    "return bent(x, scale)", "y.copy_(bent(x, scale))"
)
BENT = "def bent(x, scale):\n    return (scale * x.double() / (1 + x.double().abs())).to(x.dtype)\n"
BODY = """
  const float* x = static_cast<const float*>(X);
  float* y = static_cast<float*>(Y);
  for (int64_t i = 0; i < n; ++i) y[i] = static_cast<float>(scale) * x[i] / (1 + std::abs(x[i]));
"""
TVM_FFI = f"""
#include <cmath>
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/function.h>
void bend(tvm::ffi::TensorView x_, double scale, tvm::ffi::TensorView y_) {{
  const void* X = x_.data_ptr();
  void* Y = y_.data_ptr();
  const int64_t n = x_.numel();
  {BODY}
}}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(run, bend);
"""
TORCH = f"""
#include <torch/extension.h>
torch::Tensor bend(torch::Tensor x_, double scale) {{
  x_ = x_.contiguous();
  torch::Tensor y_ = torch::empty_like(x_);
  const void* X = x_.data_ptr();
  void* Y = y_.data_ptr();
  const int64_t n = x_.numel();
  {BODY}
  return y_;
}}
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {{ m.def("run", &bend); }}
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(PROJECT, tmp_path, dirs_exist_ok=True)
    (tmp_path / "pyproject.toml").write_text(
        '[tool.opgen]\npackage = "judged"\nout = "judged"\nnamespace = "judged"\n'
        'targets = ["core", "cpp"]\n'
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(speed, "SIZES", (Size(32, 256),))
    return tmp_path


def solution(sources: dict[str, str], **more: Any) -> dict[str, Any]:
    spec = {
        "language": "python",
        "target_hardware": ["cpu"],
        "entry_point": f"{next(iter(sources))}::run",
        "destination_passing_style": False,
    }
    return {
        "name": "mine",
        "definition": "bend_f32",
        "author": "me",
        "spec": {**spec, **more},
        "sources": [{"path": path, "content": text} for path, text in sources.items()],
    }


def judged(told: object, capsys: pytest.CaptureFixture[str], *options: str) -> tuple[int, str, str]:
    Path("solution.json").write_text(json.dumps(told))
    code = main(["judge", "bend", "solution.json", *options])
    return code, *capsys.readouterr()


PYTHON = {"main.py": RETURNS, "parts/bent.py": BENT}


def test_a_right_one_has_a_trace(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = judged(solution(PYTHON), capsys, "--format", "trace")
    trace = json.loads(out)
    evaluation = trace["evaluation"]
    assert evaluation["status"] == "PASSED", evaluation["log"]
    assert (trace["definition"], trace["solution"]) == ("bend_f32", "mine")
    assert trace["workload"]["axes"] == {"s": 32 * 256}
    assert 0 <= evaluation["correctness"]["max_relative_error"] < 1e-6
    times = evaluation["performance"]
    assert times["speedup_factor"] == pytest.approx(
        times["reference_latency_ms"] / times["latency_ms"]
    )
    # A slow candidate passes there, and fails here.
    assert (code == 0) == ("accepted" in evaluation["log"])


@pytest.mark.parametrize(
    ("told", "status"),
    [
        (solution(PYTHON | {"parts/bent.py": BENT.replace("1 +", "1.001 +")}), "INCORRECT_NUMERICAL"),
        (solution(PYTHON | {"parts/bent.py": BENT.replace(".to(x.dtype)", "")}), "INCORRECT_DTYPE"),
        (solution(PYTHON | {"parts/bent.py": BENT.replace("return ", "return 1/0 * ")}), "RUNTIME_ERROR"),
        (solution(PYTHON | {"main.py": FILLS + "    x.zero_()\n"}, destination_passing_style=True), "RUNTIME_ERROR"),
        (solution({"main.cpp": TVM_FFI.replace("scale)", "scael)")}, language="cpp"), "COMPILE_ERROR"),
    ],
    ids=["values", "dtype", "raises", "input", "typo"],
)  # fmt: skip
def test_a_wrong_one_has_the_status_of_the_format(
    here: Path, capsys: pytest.CaptureFixture[str], told: dict[str, Any], status: str
) -> None:
    code, out, _ = judged(told, capsys, "--format", "trace", "--level", "memory")
    evaluation = json.loads(out)["evaluation"]
    assert (code, evaluation["status"]) == (1, status), evaluation["log"]
    assert ("correctness" in evaluation) == (status == "INCORRECT_NUMERICAL")
    assert "performance" not in evaluation


@pytest.mark.slow
@pytest.mark.parametrize(
    "told",
    [
        solution({"main.cpp": TVM_FFI}, language="cpp", destination_passing_style=True),
        solution({"main.cpp": TORCH}, language="cpp", binding="torch"),
    ],
    ids=["tvm-ffi", "torch"],
)
def test_sources_are_compiled(
    here: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    told: dict[str, Any],
) -> None:
    pytest.importorskip("tvm_ffi")
    monkeypatch.setattr(speed, "SLOWER", 20.0)
    code, out, _ = judged(told, capsys)
    assert code == 0 and "accepted: 10 of 10 levels" in out, out


@pytest.mark.parametrize(
    ("told", "says"),
    [
        ([], "is no Solution of FlashInfer-Bench"),
        (solution(PYTHON, language="triton"), "is in triton, and the judge runs kernels for CPUs only"),
        (solution(PYTHON | {"../up.py": ""}), "has a source outside its folder: ../up.py"),
        (solution(PYTHON, entry_point="other.py::run"), "has no source other.py"),
        ({**solution(PYTHON), "definition": "bend_f16"}, "no Definition bend_f16: did you mean `bend_f32`?"),
    ],
)  # fmt: skip
def test_refused(here: Path, capsys: pytest.CaptureFixture[str], told: object, says: str) -> None:
    code, _, error = judged(told, capsys)
    assert code == 2 and says in error
