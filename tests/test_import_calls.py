"""`opgen import torch` reads from calls, fake kernels and C++ what schemas do not contain."""

from __future__ import annotations

from pathlib import Path

import pytest

from opgen.cli.main import main
from opgen.start import from_torch, torch_probe
from opgen.start.shapes import Call, Found, Shapes

# In the style of vLLM: results are written to arguments, and nothing is returned.
LIBRARY = """
import torch
import torch.nn.functional as F

library = torch.library.Library("calls_test", "DEF")
library.define("silu_and_mul(Tensor! result, Tensor input) -> ()")
library.define("rms_norm(Tensor! out, Tensor input, Tensor weight, Tensor? bias, float epsilon) -> ()")
library.define("add_(Tensor! out, Tensor x, Scalar alpha=1) -> ()")
library.define("topk(Tensor x, SymInt k, ScalarType? dtype=None) -> (Tensor, Tensor)")
library.define("scale_rows(Tensor x, Tensor by) -> Tensor")
library.impl("scale_rows", lambda x, by: x * by[:, None], "CompositeImplicitAutograd")

def silu_and_mul(result, input):
    d = input.shape[-1] // 2
    result.copy_(F.silu(input[..., :d]) * input[..., d:])

def rms_norm(out, input, weight, bias, epsilon):
    y = F.rms_norm(input, weight.shape, weight, epsilon)
    out.copy_(y if bias is None else y + bias)

def add_(out, x, alpha):
    out.add_(x, alpha=alpha)

def topk(x, k, dtype=None):
    values, ids = torch.topk(x, k)
    return values.contiguous(), ids.to(torch.int32)

for function in (silu_and_mul, rms_norm, add_, topk):
    library.impl(function.__name__, function, "CPU")

def fake(x, k, dtype=None):
    return x.new_empty((*x.shape[:-1], k)), x.new_empty((*x.shape[:-1], k), dtype=torch.int32)

torch.library.register_fake("calls_test::topk", fake, lib=library)
"""
CALLS = """
import torch
import calls_library

ops = torch.ops.calls_test

def test_calls():
    for shape, dtype in (((3, 8), torch.float32), ((2, 5, 16), torch.bfloat16)):
        x = torch.randn(shape, dtype=dtype)
        ops.silu_and_mul(torch.empty(*shape[:-1], shape[-1] // 2, dtype=dtype), x)
        ops.rms_norm(torch.empty_like(x), x, torch.ones(shape[-1], dtype=dtype), None, 1e-6)
        ops.rms_norm(torch.empty_like(x), x, x[0].flatten()[: shape[-1]], x[0].flatten()[: shape[-1]], 1e-5)
        ops.add_(torch.zeros_like(x), x, 2)
        ops.topk(x, shape[0])
    ops.scale_rows(torch.ones(3, 4), torch.ones(3))
    ops.scale_rows.default(torch.ones(2, 7), torch.ones(2))
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    pytest.importorskip("torch")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pyproject.toml").write_text(
        '[tool.opgen]\npackage = "p"\nout = "p"\nnamespace = "p"\n'
    )
    (tmp_path / "calls_library.py").write_text(LIBRARY)
    (tmp_path / "test_calls.py").write_text(CALLS)
    return tmp_path


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Query PyTorch in this process, because importing it in another one takes seconds."""
    monkeypatch.setattr(from_torch, "_asked", torch_probe.ask)


def said(project: Path, op: str) -> str:
    lines = (project / f"specs/{op}.toml").read_text().splitlines()
    kept = ("T ", "inputs", "attrs", "outputs", "grad", "samples", "  {", "torch")
    return "\n" + "".join(f"{line}\n" for line in lines if line.startswith(kept))


SILU = """
T = ["f32", "bf16"]
inputs.input   = { dtype = "T", shape = "*s 2*n" }
outputs.result = { dtype = "T", shape = "*s n" }
grad           = "none"
samples        = [
  { s = [3], n = 4, T = "f32" },
  { s = [2, 5], n = 8, T = "bf16" },
torch.out      = true
torch.replaces = [{ schema = "calls_test::silu_and_mul(Tensor(a!) result, Tensor input) -> ()" }]
"""
NORM = """
T = ["f32", "bf16"]
inputs.input   = { dtype = "T", shape = "*s n" }
inputs.weight  = { dtype = "T", shape = "n" }
inputs.bias    = { dtype = "T", shape = "n", optional = true }
attrs.epsilon  = { type = "float" }
outputs.out    = { dtype = "T", shape = "*s n" }
grad           = "none"
samples        = [
  { s = [3], n = 8, T = "f32", bias = false, epsilon = 1e-06 },
  { s = [3], n = 8, T = "f32", epsilon = 1e-05 },
  { s = [2, 5], n = 16, T = "bf16", bias = false, epsilon = 1e-06 },
  { s = [2, 5], n = 16, T = "bf16", epsilon = 1e-05 },
torch.out      = true
torch.replaces = [{ schema = "calls_test::rms_norm(Tensor(a!) out, Tensor input, Tensor weight, Tensor? bias, float epsilon) -> ()" }]
"""
# It reads `out`: the call is repeated with other content in `out`.
ADD = """
T = ["f32", "bf16"]
inputs.out     = { dtype = "T", shape = "*s", update = true }
inputs.x       = { dtype = "T", shape = "*s" }
attrs.alpha    = { type = "float", default = 1.0 }
grad           = "none"
samples        = [
  { s = [3, 8], T = "f32", alpha = 2 },
  { s = [2, 5, 16], T = "bf16", alpha = 2 },
torch.replaces = [{ schema = "calls_test::add_(Tensor(a!) out, Tensor x, Scalar alpha=1) -> ()" }]
"""
TOPK = """
T = ["f32", "bf16"]
inputs.x       = { dtype = "T", shape = "*s n" }
attrs.k        = { type = "int" }
attrs.dtype    = { type = "dtype", optional = true, choices = ["f32", "bf16", "f16", "f64"] }  # guess: its choices
outputs.y0     = { dtype = "T", shape = "*s k" }
outputs.y1     = { dtype = "i32", shape = "*s k" }
grad           = "none"
samples        = [
  { s = [3], n = 8, T = "f32", k = 3 },
  { s = [2, 5], n = 16, T = "bf16", k = 2 },
torch.replaces = [{ schema = "calls_test::topk(Tensor x, SymInt k, ScalarType? dtype=None) -> (Tensor, Tensor)" }]
"""
# It is composed of other ops.
SCALE = """
T = ["f32"]  # guess: those of the calls
inputs.x       = { dtype = "T", shape = "n m" }
inputs.by      = { dtype = "T", shape = "n" }
outputs.y      = { dtype = "T", shape = "n m" }
grad           = "reference"  # guess: rather than formulas or a backward op
samples        = [
  { m = 4, n = 3, T = "f32" },
  { m = 7, n = 2, T = "f32" },
torch.replaces = [{ schema = "calls_test::scale_rows(Tensor x, Tensor by) -> Tensor" }]
"""


def test_a_library_with_its_calls(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["import", "torch", "calls_test::*", "--module", "calls_library"]
    assert main([*command, "--calls", "test_calls.py"]) == 0
    drafts = {
        "silu_and_mul": SILU,
        "rms_norm": NORM,
        "add_": ADD,
        "topk": TOPK,
        "scale_rows": SCALE,
    }
    for op, lines in drafts.items():
        assert said(project, op) == lines
    capsys.readouterr()
    assert main(["lint"]) == 0
    assert capsys.readouterr().out == "13 guesses left\n"
    assert main(["render"]) == 0
    assert main([*command, "--calls", "test_calls.py"]) == 2  # all drafts exist already
    assert (
        "`calls_test::topk` is left out: specs/topk.toml exists already" in capsys.readouterr().err
    )


def test_a_fake_kernel_tells_results(project: Path) -> None:
    assert main(["import", "torch", "calls_test::topk", "--module", "calls_library"]) == 0
    told = said(project, "topk")
    assert 'inputs.x       = { dtype = "T", shape = "*s n" }  # guess: its shape\n' in told
    assert 'outputs.y0     = { dtype = "T", shape = "*s k" }\n' in told
    assert 'outputs.y1     = { dtype = "i32", shape = "*s k" }\n' in told


def found(*calls: Call, results: tuple[str, ...] = ("y",), proven: tuple[Call, ...] = ()) -> str:
    """Return the shapes inferred from calls of `x` and `w`; `?` marks an ambiguous one."""
    shapes = Shapes(["x", "w"], results, calls, proven)
    every = {**shapes.inputs(), **shapes.results()}
    return ", ".join(f"{n}: {f.text}{'' if f.sure else '?'}" for n, f in every.items())


def call(
    x: tuple[int, ...] | None, w: tuple[int, ...] | None, y: tuple[int, ...], **k: int
) -> Call:
    return Call({"x": x, "w": w, "y": y}, k)


def test_equal_sizes_become_names() -> None:
    assert found(call((2, 3), (3,), (2, 3)), call((4, 5), (5,), (4, 5))) == "x: n m, w: m, y: n m"
    assert found(call((2, 3), (3,), (2, 3))) == "x: n m?, w: m?, y: n m?"
    linear = call((7, 3), (5, 3), (7, 5)), call((2, 7, 4), (6, 4), (2, 7, 6))
    assert found(*linear) == "x: *s n, w: m n, y: *s m"
    assert found(call((2, 3), None, (3,)), call((4, 5), (4,), (5,))) == "x: n m, w: n?, y: m"
    apart = call((2, 3), (4,), (3,)), call((5,), (2, 2), (3,))
    assert found(*apart) == "x: *s, w: *batch, y: 3"


def test_results_are_expressions() -> None:
    halved = call((2, 6), (1,), (2, 3)), call((4, 8), (1,), (4, 4))
    assert found(*halved) == "x: n 2*m, w: k?, y: n m"
    cut = call((2, 5), (9,), (2, 3)), call((4, 8), (9,), (4, 4))
    assert found(*cut) == "x: n m, w: k?, y: n ceildiv(m,2)"
    numbered = call((2, 5), (9,), (2, 4), k=4), call((4, 8), (9,), (4, 7), k=7)
    assert found(*numbered) == "x: n m, w: d?, y: n k"
    flat = call((2, 3, 5), (1,), (6, 5)), call((4, 8), (1,), (4, 8))
    assert found(*flat) == "x: *s n, w: m?, y: prod(s) n"
    assert found(call((2, 3), (5,), (11,)), call((4, 6), (7,), (999,))) == "x: n m, w: k"


def test_what_was_proven_decides() -> None:
    once = call((4, 4), (4,), (4,))
    assert found(once) == "x: n n?, w: n?, y: n?"
    more = call((4, 4), (4,), (4,)), call((9, 9), (9,), (9,))
    assert found(once, proven=more) == "x: n n?, w: n?, y: n"
    assert Found("n", True) == Shapes(["x"], ["y"], [], more).results()["y"]


BODIES = """
#include <torch/library.h>
namespace mine {
std::tuple<at::Tensor, at::Tensor> segment_cpu(at::Tensor src, at::Tensor indptr, std::optional<at::Tensor> bias, int64_t groups, std::string reduce) {
  CHECK_INPUT(src.dim() == 2);
  TORCH_CHECK(indptr.dim() == 1, "of one dim");
  TORCH_CHECK(bias.value().dim() == 1 && bias.value().size(0) == src.size(1));
  auto rows = src.size(0);
  int64_t cols = src.size(-1);
  auto out = at::empty({groups, cols}, src.options());
  auto arg_out = torch::full({groups, src.size(1)}, rows, indptr.options());
  auto offsets = indptr.data_ptr<int64_t>();
  AT_DISPATCH_FLOATING_TYPES_AND2(at::ScalarType::Half, at::ScalarType::BFloat16, src.scalar_type(), "segment", [&] {
    auto data = src.data_ptr<scalar_t>();
    use(data, offsets);
  });
  return std::make_tuple(out, arg_out);
}
std::tuple<at::Tensor, at::Tensor> segment(at::Tensor src, at::Tensor ptr, std::optional<at::Tensor> bias, int64_t groups) {
  return segment_cpu(src, ptr, bias, groups, "sum");
}
at::Tensor doubled(const at::Tensor& x) {
  auto y = at::empty_like(x);
  return y;
}
void fill(at::Tensor& out, const at::Tensor& x) { auto d = x.data_ptr<double>(); }
}
TORCH_LIBRARY(mine, m) {
  m.def("seg", &mine::segment);
}
"""
# The op is an autograd function, whose kernel takes a destination or makes a tensor.
AUTOGRAD = """
namespace mine {
std::tuple<at::Tensor, std::optional<at::Tensor>> heads_cpu(at::Tensor src, at::Tensor starts, std::optional<at::Tensor> given, std::optional<int64_t> count) {
  if (src.dim() == 1 && src.scalar_type() == at::kDouble) src = src.unsqueeze(0);
  CHECK_INPUT(src.size(0) == 0 || src.size(0) == starts.size(0));
  TORCH_CHECK(src.dim() == 2 && starts.dim() == 1);
  auto d = src.size(1);
  at::Tensor y;
  if (given.has_value()) {
    y = given.value().contiguous();
  } else {
    auto lengths = src.sizes().vec();
    if (src.numel() == 0) lengths[1] = 0;
    else if (count.has_value()) lengths[1] = count.value();
    else lengths[1] = std::max<int64_t>(starts.size(0) - 1, 0);
    y = torch::zeros(lengths, src.options());
  }
  std::optional<at::Tensor> at_ = std::nullopt;
  at_ = torch::full_like(y, d, starts.options());
  auto data = starts.data_ptr<int64_t>();
  return std::make_tuple(y, at_);
}
class Heads : public torch::autograd::Function<Heads> {
 public:
  static variable_list forward(AutogradContext* ctx, Variable src, Variable starts, std::optional<Variable> given, std::optional<int64_t> count) {
    auto result = heads_cpu(src, starts, given, count);
    auto out = std::get<0>(result);
    auto arg = std::get<1>(result).value();
    return {out, arg};
  }
};
std::tuple<at::Tensor, at::Tensor> heads(at::Tensor src, at::Tensor starts, std::optional<at::Tensor> given, std::optional<int64_t> count) {
  auto both = Heads::apply(src, starts, given, count);
  return std::make_tuple(both[0], both[1]);
}
}
"""
HEADS = """
inputs.src     = { dtype = "T", shape = "n d" }
inputs.starts  = { dtype = "i64", shape = "m" }
inputs.given   = { dtype = "T", shape = "n count", optional = true }  # guess: its shape
attrs.count    = { type = "int" }  # guess: that it is always given
outputs.out    = { dtype = "T", shape = "n count" }  # guess: its shape
outputs.arg    = { dtype = "i64", shape = "n count" }  # guess: its shape
"""
SEGMENT = """
T = ["f32", "f64", "f16", "bf16"]
inputs.src     = { dtype = "T", shape = "rows cols" }
inputs.ptr     = { dtype = "i64", shape = "n" }
inputs.bias    = { dtype = "T", shape = "cols", optional = true }
attrs.groups   = { type = "int" }
outputs.out    = { dtype = "T", shape = "groups cols" }
outputs.arg_out = { dtype = "i64", shape = "groups cols" }
"""


def test_the_body_of_a_function(project: Path) -> None:
    (project / "bodies.cpp").write_text(BODIES)
    for function in ("segment", "doubled", "fill"):
        assert main(["import", "cpp", f"bodies.cpp:{function}"]) == 0
    assert said(project, "segment").startswith(SEGMENT)
    assert 'outputs.y      = { dtype = "T", shape = "*s" }\n' in said(project, "doubled")
    filled = (
        'outputs.out    = { dtype = "f64", shape = "*s" }  # guess: its shape, that it is not read'
    )
    assert filled in said(project, "fill")
    assert 'inputs.x       = { dtype = "f64", shape = "*s" }' in said(project, "fill")
    assert main(["import", "cpp", "bodies.cpp:fill", "--out", "x"]) == 2  # the draft exists already
    assert main(["lint"]) == main(["render"]) == 0


def test_results_are_followed_through_calls(project: Path) -> None:
    """Results are followed through variables, too. A comparison in an `if` gives no fact."""
    (project / "heads.cpp").write_text(AUTOGRAD)
    assert main(["import", "cpp", "heads.cpp:mine::heads"]) == 0
    assert HEADS in said(project, "heads")
    text = AUTOGRAD.replace("if (count.has_value()) lengths[1] = count.value();", ";")
    (project / "heads.cpp").write_text(text)
    (project / "specs/heads.toml").unlink()
    (project / "specs/heads.py").unlink()
    assert main(["import", "cpp", "heads.cpp:heads"]) == 0
    assert HEADS[HEADS.index("outputs") :].replace("count", "m-1") in said(project, "heads")
    assert main(["lint"]) == main(["render"]) == 0


@pytest.mark.usefixtures("here")
def test_a_schema_without_names(project: Path) -> None:
    import torch

    (project / "bodies.cpp").write_text(BODIES)
    library = torch.library.Library("mine", "DEF")
    library.define("seg(Tensor _0, Tensor _1, Tensor? _2, int _3) -> (Tensor _0, Tensor _1)")
    command = ["import", "torch", "mine::seg"]
    assert main(command) == 0
    bare = said(project, "seg")
    assert "inputs.x0 " in bare and "attrs.x3 " in bare and 'args = { x0 = "_0"' in bare
    assert main(["lint"]) == main(["render"]) == 0
    for drafted in (project / "specs").iterdir():
        drafted.unlink()
    assert main([*command, "--source", "bodies.cpp"]) == 0
    named = said(project, "seg")
    assert named.startswith(SEGMENT)
    assert 'args = { src = "_0", ptr = "_1", bias = "_2", groups = "_3" }' in named
    assert main(["lint"]) == main(["render"]) == 0
    assert main(["import", "cpp", "bodies.cpp:doubled", "--source", "bodies.cpp"]) == 2
    assert main([*command, "--source", "nowhere.cpp"]) == 2
