"""`opgen import`: drafts of specs from PyTorch schemas and C++ signatures; each can be rendered."""

from __future__ import annotations

from pathlib import Path

import pytest

from opgen.cli.main import main
from opgen.compiler.pipeline import examine
from opgen.spec.config import Config
from opgen.start import from_torch, torch_probe
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

MORE = """
#define CALL(f) do { \\
    f(1); } while (0)
static const char* text = "}{"; // }
namespace a { namespace b {
    void scale(const float* x, float* y, int n);
    inline namespace v1 { void inlined(const float* x, float* y) { if (x) { for (;;) scale(x, y, 1); } } }
    struct K final : Base { public: explicit K(int); void method(const float* x, float* y) const; };
} }
void a::b::K::method(const float* x, float* y) const {}
void a::outer(const float* x, float* y) { a::b::scale(x, y, 1); }
[[nodiscard]] static inline constexpr void attr(const float* const x, float* const y, float a[4]) noexcept {}
__attribute__((visibility("default"))) int visible(const float* x, float* y) { return 0; }
void deep(const float** xs, float** ys);
void views(at::Tensor x, at::IntArrayRef dims, at::OptionalIntArrayRef more, c10::optional<at::IntArrayRef> most,
           at::TensorList parts, std::string name = "a, (b", const at::Scalar& factor);
template <typename T> void axpy(const T* x, const T alpha, T* y, __half beta = 1,
                                float top = std::numeric_limits<float>::infinity()) {}
at::Tensor perhaps(std::optional<at::Tensor> x);
__global__ void gk(const float* x, float* y) { axpy(x, 1, y); }
void many(const float*, float*);
void many(const float* x, float* y);
void many(const double* x, double* y) {}
namespace c { float many(const float* x, float* y); }
extern "C" int cfun(const double *a, const double b[], double *out, unsigned n, size_t m, void *ws);
extern "C" { void typed(const float* x, int N, float* n); }
template <typename U> void cast(const float* x, U* y);
void kw(const float* in, float* lambda, int class_, int def, int i);
#if 0
void never(const float* x, float* y);
#endif
"""

# The lines of each draft that declare inputs and outputs.
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
attrs.mode     = { type = "str" }  # guess: its default (MODE)
outputs.y0     = { dtype = "T", shape = "*s" }  # guess: its shape, its dtype
outputs.y1     = { dtype = "T", shape = "*s" }  # guess: its shape, its dtype
kernels        = ["cpu"]
""",
    "update": """
inputs.parts   = { dtype = "T", shape = "*s[i]", list = "k" }  # guess: its shape
outputs.y      = { dtype = "T", shape = "" }  # guess: its shape, that it is not read, its dtype
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
    (tmp_path / "k.cpp").write_text(MORE)
    (tmp_path / "registers.py").write_text(REGISTERS)
    return tmp_path


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Query PyTorch in this process, because importing it in another one takes seconds."""
    pytest.importorskip("torch")
    monkeypatch.setattr(from_torch, "_asked", torch_probe.ask)
    monkeypatch.setattr(torch_probe, "fake_results", lambda *given: ())  # also takes seconds


def said(project: Path, op: str) -> str:
    """Return the lines of a draft about inputs, attrs, outputs and kernels."""
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


X, Y = (
    f'{kind:14} = {{ dtype = "f32", shape = "*s" }}  # guess: its shape{more}\n'
    for kind, more in (("inputs.x", ""), ("outputs.y", ", that it is not read"))
)
CPU = 'kernels        = ["cpu"]\n'
MORE_DRAFTS = {
    "a::b::scale": (X + Y).replace("*s", "n") + CPU,
    "b::scale": (X + Y).replace("*s", "n") + CPU,
    "a::b::inlined": X + Y + CPU,
    "K::method": X + Y + CPU,
    "a::outer": X + Y + CPU,
    "attr": X + Y + Y.replace(".y", ".a") + CPU,
    "visible": X + Y + CPU,
    "deep": """inputs.xs      = { dtype = "f32", shape = "*s" }  # guess: its shape, that it is one tensor (float**)
outputs.ys     = { dtype = "f32", shape = "*s" }  # guess: its shape, that it is one tensor (float**)
kernels        = ["cpu"]
""",
    "views": """inputs.x       = { dtype = "T", shape = "*s" }  # guess: its shape
inputs.parts   = { dtype = "T", shape = "*s", list = "k", update = true }  # guess: its shape, that it is what is written
attrs.dims     = { type = "int[]" }
attrs.more     = { type = "int[]", optional = true }
attrs.most     = { type = "int[]", optional = true }
attrs.name     = { type = "str", default = "a, (b" }
attrs.factor   = { type = "float" }  # guess: its type (at::Scalar)
kernels        = ["cpu"]
""",
    "perhaps": """inputs.x       = { dtype = "T", shape = "*s" }  # guess: its shape, that it is always there
outputs.y      = { dtype = "T", shape = "*s" }  # guess: its shape, its dtype
kernels        = ["cpu"]
""",
    "axpy": """inputs.x       = { dtype = "T", shape = "*s" }  # guess: its shape
attrs.alpha    = { type = "float" }  # guess: its type (T)
attrs.beta     = { type = "float", default = 1.0 }  # guess: its type (__half)
attrs.top      = { type = "float" }  # guess: its default (std::numeric_limits<float>::infinity())
outputs.y      = { dtype = "T", shape = "*s" }  # guess: its shape, that it is not read
kernels        = ["cpu"]
""",
    "gk": X + Y + CPU.replace("cpu", "cuda"),
    "cfun": """inputs.a       = { dtype = "f64", shape = "n m" }  # guess: its shape
inputs.b       = { dtype = "f64", shape = "n m" }  # guess: its shape
outputs.out    = { dtype = "f64", shape = "n m" }  # guess: its shape, that it is not read
outputs.ws     = { dtype = "f64", shape = "n m" }  # guess: its shape, its dtype (void)
kernels        = ["cpu"]
""",
    "typed": (X + Y).replace("*s", "n_size").replace("outputs.y", "outputs.n") + CPU,
    "cast": X + Y.replace("it is not read", "it is not read, its dtype (U)") + CPU,
    "kw": """inputs.in_     = { dtype = "f32", shape = "class_ def_ i_" }  # guess: its shape
outputs.lambda_ = { dtype = "f32", shape = "class_ def_ i_" }  # guess: its shape, that it is not read
kernels        = ["cpu"]
""",
}


@pytest.mark.parametrize("function", MORE_DRAFTS)
def test_a_signature_that_is_hard_to_read(project: Path, function: str) -> None:
    assert main(["import", "cpp", f"k.cpp:{function}"]) == 0
    assert said(project, function.rpartition("::")[2]) == "\n" + MORE_DRAFTS[function]
    assert main(["lint"]) == main(["render"]) == 0


def test_overloads_are_told(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["import", "cpp", "k.cpp:many"]) == 0
    told = "`many` is drafted from one of its 3 overloads; not drafted"
    double, other = (
        "void many(const double* x, double* y)",
        "float c::many(const float* x, float* y)",
    )
    assert f"{told}: `{double}`, `{other}`\n" in capsys.readouterr().err
    text = (project / "specs/many.toml").read_text()
    assert "#     void many(const float* x, float* y)\n" in text
    assert f"# {told}:\n#     {double}\n#     {other}\n" in text


def test_what_is_left_out_is_told(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["import", "cpp", "functions.cu:stats"]) == 0
    told = "left out, since a spec has nothing of their types: `device`\n"
    assert told in capsys.readouterr().err
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
    assert "specs/blend.toml exists already" in capsys.readouterr().err


@pytest.mark.usefixtures("here")
def test_overloads_of_an_op_of_pytorch(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["import", "torch", "aten::sum"]) == 0
    told = "`aten::sum` is drafted from one of its "
    assert told in (error := capsys.readouterr().err) and "`aten::sum.dim_IntList`" in error
    assert "aten::sum.bool" not in error and "aten::sum.out" not in error
    assert told in (project / "specs/sum.toml").read_text()
    assert main(["import", "torch", "aten::where.self"]) == 0
    assert "overloads" not in capsys.readouterr().err


@pytest.mark.usefixtures("here")
def test_drafts_of_pytorchs_own_ops_lint(project: Path) -> None:
    """Drafts of PyTorch's own ops lint clean; one in forty ops is tried."""
    import torch

    every = sorted(n for n in torch._C._dispatch_get_all_op_names() if n.startswith("aten::"))
    (project / "specs").mkdir()
    drafted = 0
    for name in every[::40]:
        try:
            files = draft_files(Config(project), next(from_torch.from_torch(name)))
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
        (
            ["cpp", "k.cpp:a::c::scale"],
            "k.cpp has no function `a::c::scale`: did you mean `a::b::scale`?",
        ),
        (["cpp", "k.cpp:foo"], "k.cpp has no function `foo`\n"),
        (
            ["cpp", "k.cpp:K"],
            "k.cpp has no function `K` that could be read: it is looked for as `TYPE K(PARAMETERS)`\n",
        ),
        (["cpp", "functions.cu"], "expected a function as `FILE:FUNCTION`, not `functions.cu`"),
        (["cpp", "nowhere.cpp:f"], "nowhere.cpp cannot be read: No such file or directory"),
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
            ["torch", "aten::split"],
            "`aten::split` gives a list of views of what it takes: an op gives tensors of its own. "
            "Its other overloads are `aten::split.Tensor`, `aten::split.sizes`\n",
        ),
        (
            ["torch", "aten::t"],
            "`aten::t` gives a view of what it takes: an op gives tensors of its own\n",
        ),
        (
            ["torch", "aten::where"],
            "`aten::where` gives a list of tensors, and takes no list that says how many: "
            "an op gives a number of tensors that is known. Its other overloads are `aten::where.self`,",
        ),
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
    project: Path,
    request: pytest.FixtureRequest,
    capsys: pytest.CaptureFixture[str],
    what: list[str],
    says: str,
) -> None:
    if what[0] == "torch":
        request.getfixturevalue("here")
    assert main(["import", *what]) == 2
    error = capsys.readouterr().err
    assert f"opgen: {says}" in error and "Traceback" not in error
    assert not (project / "specs").exists()
