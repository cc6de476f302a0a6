"""`opgen import`: drafts from schemas of PyTorch and signatures in C++; each can be rendered."""

from __future__ import annotations

import contextlib
import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from opgen.cli.main import main
from opgen.compiler.pipeline import examine
from opgen.spec.config import Config
from opgen.start import from_torch
from opgen.start.draft import draft_files
from opgen.start.op import StartError

REGISTERS = """
import torch

library = torch.library.Library("draft_test", "DEF")
library.define("blend(Tensor self, Tensor? mask, Tensor(a!) state, *, float weight=0.5, str mode='a', Device? device=None) -> Tensor")
"""

CPP = """
#include <torch/extension.h>
// void scale_rows(int);
template <typename scalar_t>
__global__ void scale_rows(const scalar_t* __restrict__ x, const float* w, scalar_t* y,
                           int Rows /* of x, y */, int64_t n, float eps, cudaStream_t stream) { use(scale_rows2(x)); }
torch::Tensor norm(const torch::Tensor& x, std::optional<torch::Tensor> weight, double eps = 1e-5f,
                   bool fast = false, const std::vector<int64_t>& sizes = {1, 2}, std::string mode) noexcept;
extern "C" void negate(double *data, size_t size);
std::tuple<at::Tensor, at::Tensor> stats(at::Tensor x, int64_t groups = 4, bool fast = 0, double eps = 1, std::string mode = MODE, c10::Device device) { return stats(x); }
void update(at::Tensor y, std::vector<at::Tensor> parts) {}
auto arrow(at::Tensor lambda) -> at::Tensor { return lambda; }
namespace n { static inline int NoTensors(int a) { return a; } }
void nameless(const float*, float* y);
"""

# The lines of each draft that say what goes in and comes out.
DRAFTS = {
    "scale_rows": """
inputs.x       = { dtype = "T", shape = "rows n" }  # guess: its shape
inputs.w       = { dtype = "f32", shape = "rows n" }  # guess: its shape
attrs.eps      = { type = "float" }
outputs.y      = { dtype = "T", shape = "rows n" }  # guess: its shape, that it is not read
kernels        = ["cuda"]
""",
    "norm": """
inputs.x       = { dtype = "T", shape = "*s" }  # guess: its shape
inputs.weight  = { dtype = "T", shape = "*s", optional = true }  # guess: its shape
attrs.eps      = { type = "float", default = 1e-05 }
attrs.fast     = { type = "bool", default = false }
attrs.sizes    = { type = "int[]", default = [1, 2] }
attrs.mode     = { type = "str" }
outputs.y      = { dtype = "T", shape = "*s" }  # guess: its shape, its dtype
kernels        = ["cpu"]
""",
    "negate": """
inputs.data    = { dtype = "f64", shape = "size", update = true }  # guess: its shape
kernels        = ["cpu"]
""",
    "stats": """
inputs.x       = { dtype = "T", shape = "*s" }  # guess: its shape
attrs.groups   = { type = "int", default = 4 }
attrs.fast     = { type = "bool", default = false }
attrs.eps      = { type = "float", default = 1.0 }
attrs.mode     = { type = "str" }
outputs.y0     = { dtype = "T", shape = "*s" }  # guess: its shape, its dtype
outputs.y1     = { dtype = "T", shape = "*s" }  # guess: its shape, its dtype
kernels        = ["cpu"]
""",
    "update": """
inputs.y       = { dtype = "T", shape = "*s" }  # guess: its shape
inputs.parts   = { dtype = "T", shape = "*s", list = "k", update = true }  # guess: its shape, that it is what is written
kernels        = ["cpu"]
""",
    "arrow": """
inputs.lambda_ = { dtype = "T", shape = "*s" }  # guess: its shape
outputs.y      = { dtype = "T", shape = "*s" }  # guess: its shape, its dtype
kernels        = ["cpu"]
""",
}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pyproject.toml").write_text(
        '[tool.opgen]\npackage = "p"\nout = "p"\nnamespace = "p"\n'
    )
    (tmp_path / "functions.cu").write_text(CPP)
    (tmp_path / "registers.py").write_text(REGISTERS)
    return tmp_path


def said(project: Path, op: str) -> str:
    """What a draft says goes in and comes out."""
    lines = (project / f"specs/{op}.toml").read_text().splitlines()
    kept = ("inputs", "attrs", "outputs", "kernels")
    return "\n" + "".join(f"{line}\n" for line in lines if line.startswith(kept))


@pytest.mark.parametrize("function", DRAFTS)
def test_a_function_in_cpp(project: Path, function: str) -> None:
    assert main(["import", "cpp", f"functions.cu:{function}"]) == 0
    assert said(project, function) == DRAFTS[function]
    assert main(["lint"]) == main(["render"]) == main(["scaffold"]) == 0
    suffix = "cu" if '"cuda"' in DRAFTS[function] else "cpp"
    assert (project / f"kernels/{function}/{function}.{suffix}").is_file()


def test_what_is_left_out_is_told(project: Path) -> None:
    assert main(["import", "cpp", "functions.cu:stats"]) == 0
    assert main(["import", "cpp", "functions.cu:scale_rows"]) == 0
    stats, rows = ((project / f"specs/{n}.toml").read_text() for n in ("stats", "scale_rows"))
    assert "# Left out: `device`, c10::Device." in stats
    assert "# Taken for sizes, which an op knows by its shapes: Rows, n." in rows
    assert "NotImplementedError" in (project / "specs/stats.py").read_text()


def test_an_op_of_pytorch(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("torch")
    command = ["import", "torch", "draft_test::blend", "--module", "registers"]
    assert main(command) == 0
    assert "specs/blend.toml: drafted, with " in capsys.readouterr().err
    assert said(project, "blend") == """
inputs.x       = { dtype = "T", shape = "*s" }  # guess: its shape
inputs.state   = { dtype = "T", shape = "*s", update = true }  # guess: its shape, whether it is read too
inputs.mask    = { dtype = "T", shape = "*s", optional = true }  # guess: its shape
attrs.weight   = { type = "float", default = 0.5 }
attrs.mode     = { type = "str", default = "a" }
outputs.y      = { dtype = "T", shape = "*s" }  # guess: its shape, its dtype
kernels        = ["cpu"]
"""
    text = (project / "specs/blend.toml").read_text()
    for note in ("`self` there is `x` here.", "Left out: `device`", "which they do not there"):
        assert note in text
    assert main(["lint"]) == main(["render"]) == 0
    assert main(command) == 2
    assert "specs/blend.toml is there already" in capsys.readouterr().err


def here(name: str, modules: object) -> dict[str, Any]:
    """What the probe prints, run in this process."""
    out, given = io.StringIO(), sys.argv
    sys.argv = ["-c", name]
    try:
        with contextlib.redirect_stdout(out), contextlib.suppress(SystemExit):
            exec(from_torch._PROBE, {})
    finally:
        sys.argv = given
    found: dict[str, Any] = json.loads(out.getvalue().splitlines()[-1])
    return found


def test_drafts_of_pytorchs_own_ops_lint(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One in forty of them."""
    torch = pytest.importorskip("torch")
    monkeypatch.setattr(from_torch, "_schema", here)
    every = sorted(n for n in torch._C._dispatch_get_all_op_names() if n.startswith("aten::"))
    (project / "specs").mkdir()
    drafted = 0
    for name in every[::40]:
        try:
            files = draft_files(Config(project), from_torch.from_torch(name))
        except StartError:
            continue
        for path, text in files.items():
            path.write_text(text)
        _, found, _ = examine([path for path in files if path.suffix == ".toml"])
        assert found == [], (name, [each.message for each in found])
        drafted += 1
    assert drafted > 50


@pytest.mark.parametrize(
    ("what", "says"),
    [
        (
            ["cpp", "functions.cu:statz"],
            "functions.cu has no function `statz`: did you mean `stats`?",
        ),
        (["cpp", "functions.cu"], "expected a function as `FILE:FUNCTION`, not `functions.cu`"),
        (["cpp", "nowhere.cpp:f"], "nowhere.cpp cannot be read: "),
        (
            ["cpp", "functions.cu:NoTensors"],
            "`NoTensors` takes no tensor: an op takes at least one",
        ),
        (["cpp", "functions.cu:nameless"], "a parameter of `nameless` has no name: `const float*`"),
        (
            ["cpp", "functions.cu:stats", "--module", "x"],
            "`--module` goes with `opgen import torch`",
        ),
        (["torch", "relu"], "expected an op of PyTorch as `NAMESPACE::OP`, not `relu`"),
        (
            ["torch", "aten::rms_nrm"],
            "PyTorch knows no `aten::rms_nrm`: did you mean `aten::rms_norm`?",
        ),
        (
            ["torch", "mine::op"],
            "PyTorch knows no `mine::op`: `--module` imports what registers it",
        ),
        (
            ["torch", "mine::op", "--module", "nowhere"],
            "nowhere cannot be imported: No module named",
        ),
    ],
)
def test_refused(
    project: Path, capsys: pytest.CaptureFixture[str], what: list[str], says: str
) -> None:
    if what[0] == "torch":
        pytest.importorskip("torch")
    assert main(["import", *what]) == 2
    error = capsys.readouterr().err
    assert f"opgen: {says}" in error and "Traceback" not in error
    assert not (project / "specs").exists()
