"""Autograd rules from specs: rendered, registered, and differentiated."""

from __future__ import annotations

import pytest
import torch
from torch.autograd import gradcheck, gradgradcheck

from opgen.compiler.pipeline import load
from opgen.ir.project import Project
from opgen.runtime.core import facts
from opgen.spec.config import Config
from opgen.targets.core.facts import Facts
from opgen.targets.own_names import Names
from opgen.targets.torch.cost import flops
from opgen.targets.torch.rules import rule
from opgen.targets.torch.schema import schema

HEAD = """spec = 1
[dtypes]
T = ["f64", "f32", "i32"]
F = ["f64", "f32"]
"""
OP = """
doc = "An op of a test."
sharding = "replicate"
kernels = ["cpu"]
"""


def project(tmp_path, body: str) -> Project:
    file = tmp_path / "family.toml"
    file.write_text(HEAD + body.replace("DOC", OP.strip()))
    found, diagnostics, _ = load([file], Config(tmp_path))
    assert found is not None, [d.message for d in diagnostics]
    return found


def register(ops, project: Project, name: str, kernel):
    op = project.op(name)
    ops.define(schema(op), kernel)
    return ops.rule(*rule(project, op))


def f64(*shape: int) -> torch.Tensor:
    return torch.randn(*shape, dtype=torch.float64, requires_grad=True)


def test_a_gradient_is_summed_over_the_dims_its_primal_lacks(ops, tmp_path):
    bias = project(
        tmp_path,
        """
[ops.bias]
DOC
inputs.x = { dtype = "F", shape = "*batch d" }
inputs.b = { dtype = "F", shape = "d" }
outputs.y = { dtype = "F", shape = "*batch d" }
grad.formulas = { x = "dy", b = "dy" }
""",
    )
    op = register(ops, bias, "bias", lambda x, b: x + b)
    for shape in ((4,), (3, 4), (2, 3, 4)):
        assert gradcheck(op, (f64(*shape), f64(4)))


def test_operands_meet_by_the_names_of_their_dims(ops, tmp_path):
    turned = project(
        tmp_path,
        """
[ops.turned]
DOC
inputs.x = { dtype = "F", shape = "m *k" }
inputs.s = { dtype = "F", shape = "m" }
outputs.y = { dtype = "F", shape = "*k m" }
grad.formulas = { x = "dy * s", s = "dy * x" }
""",
    )
    op = register(ops, turned, "turned", lambda x, s: (x.movedim(0, -1) * s).contiguous())
    for shape in ((4,), (4, 3), (4, 2, 3)):
        assert gradcheck(op, (f64(*shape), f64(4)))
        assert gradgradcheck(op, (f64(*shape), f64(4)))


def test_a_gradient_spreads_over_the_dims_that_were_reduced(ops, tmp_path):
    power = project(
        tmp_path,
        """
[ops.power]
DOC
inputs.x = { dtype = "F", shape = "*batch n" }
outputs.y = { dtype = "F", shape = "*batch" }
grad.formulas = { x = "2 * x * dy / n" }
""",
    )
    op = register(ops, power, "power", lambda x: (x * x).mean(-1))
    assert gradcheck(op, (f64(3),)) and gradcheck(op, (f64(2, 3),))


FORMULAS = {
    "max(x, 0)": ("dy if x > 0 else 0", lambda x: x.clamp_min(0)),
    "tanh": ("dy * (1 - y**2)", torch.tanh),
    "x*sigmoid": ("dy * (1 + x * (1 - y/x)) * y/x", torch.nn.functional.silu),
    "gauss": ("-dy * exp(-x**2) * 2*x", lambda x: torch.exp(-x * x)),
    "chain": ("dy if -1 < x < 1 else 0", torch.nn.functional.hardtanh),
    "either": ("dy if x < -0.5 or x > 0.5 else 0", torch.nn.functional.hardshrink),
    "bounds": ("dy if min(max(x, 0), 1) == x else 0", lambda x: x.clamp(0, 1)),
    "abs": ("dy * sign(x) / 2", lambda x: x.abs() / 2),
}


@pytest.mark.parametrize("name", FORMULAS)
def test_formulas(ops, tmp_path, name):
    formula, kernel = FORMULAS[name]
    spec = project(
        tmp_path,
        f"""
[ops.f]
DOC
inputs.x = {{ dtype = "F", shape = "*s" }}
outputs.y = {{ dtype = "F", shape = "*s" }}
grad.formulas = {{ x = "{formula}" }}
""",
    )
    op = register(ops, spec, "f", lambda x: kernel(x).clone())
    assert gradcheck(op, (f64(3, 4),))


def test_a_backward_is_given_sizes_options_and_what_is_optional(ops, tmp_path):
    """A backward gets sizes, attrs and optional inputs.

    The op returns the first `keep` rows, each multiplied by `scale`.
    """
    spec = project(
        tmp_path,
        """
[ops.head]
DOC
inputs.x = { dtype = "F", shape = "rows *rest" }
inputs.offset = { dtype = "F", shape = "*rest", optional = true }
attrs.keep = { type = "int" }
attrs.scale = { type = "float", default = 1.0 }
attrs.negate = { type = "bool", default = false }
outputs.y = { dtype = "F", shape = "keep *rest" }
grad.backward = { op = "head_bwd", args = { same = "not negate" } }

[ops.head_bwd]
DOC
inputs.dy = { dtype = "F", shape = "keep *rest" }
attrs.rows = { type = "int" }
attrs.rest = { type = "int[]" }
attrs.scale = { type = "float" }
attrs.same = { type = "bool" }
attrs.mode = { type = "str", default = "plain" }
outputs.dx = { dtype = "F", shape = "rows *rest" }
outputs.doffset = { dtype = "F", shape = "*rest" }
grad = "none"
""",
    )
    seen = []

    def forward(x, offset=None, keep=0, scale=1.0, negate=False):
        y = x[:keep] * (-scale if negate else scale)
        return y.clone() if offset is None else y + offset

    def backward(dy, rows, rest, scale, same, mode="plain"):
        seen.append((rows, list(rest), scale, same, mode))
        dx = dy.new_zeros(rows, *rest)
        dx[: len(dy)] = dy * (scale if same else -scale)
        return dx, dy.sum(0)

    register(ops, spec, "head_bwd", backward)
    op = register(ops, spec, "head", forward)
    assert gradcheck(lambda x, b: op(x, b, 2, 3.0, True), (f64(3, 2, 4), f64(2, 4)))
    assert seen[0] == (3, [2, 4], 3.0, False, "plain")
    assert gradcheck(lambda x: op(x, None, 2), (f64(3),))
    assert seen[-1] == (3, [], 1.0, True, "plain")


def test_what_is_refused_zero_or_without_gradient(tmp_path):
    spec = project(
        tmp_path,
        """
[ops.pick]
DOC
inputs.x = { dtype = "F", shape = "n" }
inputs.table = { dtype = "F", shape = "m", differentiable = false }
inputs.index = { dtype = "i32", shape = "n" }
outputs.y = { dtype = "F", shape = "n" }
outputs.score = { dtype = "F", shape = "n", differentiable = false }
grad.formulas = { x = "0" }

[ops.still]
DOC
inputs.x = { dtype = "T", shape = "n" }
inputs.index = { dtype = "i32", shape = "n" }
outputs.y = { dtype = "T", shape = "n" }
grad = "none"
""",
    )
    pick, still = (rule(spec, spec.op(name)) for name in ("pick", "still"))
    assert pick == ["op pick -> y score", "constant score", "zero x", "refuse table"]
    assert still == ["op still -> y", "refuse x"]


def folding(spec, op) -> list[str]:
    """Return the inputs whose dims a batch joins, read from the rendered facts about an op."""
    scope = dict(vars(facts))
    exec(Facts(spec, spec.op(op)).statement(), scope)
    return [each.name for each in scope["FACTS"].inputs if each.folds]


def test_which_inputs_a_batch_may_join(tmp_path):
    spec = project(
        tmp_path,
        """
[templates.t]
doc = "An op of a test."
grad = "none"
sharding.split = ["batch"]
kernels = ["cpu"]
outputs.y = { dtype = "F", shape = "*batch d" }

[ops.folds]
like = "t"
inputs.x = { dtype = "F", shape = "*batch d" }
inputs.w = { dtype = "F", shape = "d" }
inputs.m = { dtype = "F", shape = "*batch" }

[ops.reduces]
like = "t"
inputs.x = { dtype = "F", shape = "*batch d" }
outputs.dw = { dtype = "F", shape = "d", reduce = { batch = "sum" } }

[ops.elsewhere]
like = "t"
inputs.x = { dtype = "F", shape = "*batch d" }
inputs.turned = { dtype = "F", shape = "d *batch" }

[ops.loops]
like = "t"
vmap = "loop"
inputs.x = { dtype = "F", shape = "*batch d" }
""",
    )
    assert folding(spec, "folds") == ["x", "m"]
    for name in ("reduces", "elsewhere", "loops"):
        assert folding(spec, name) == []


BACKWARD = """
[ops.f]
DOC
reference = "family.py:f"
inputs.x = { dtype = "F", shape = "n" }
inputs.b = { dtype = "F", shape = "n" }
attrs.k = { type = "float" }
outputs.y = { dtype = "F", shape = "n" }
residuals.kept = { dtype = "F", shape = "n" }
grad.backward = "f_bwd"

[ops.f_bwd]
DOC
inputs.dy = { dtype = "F", shape = "n" }
READS
outputs.dx = { dtype = "F", shape = "n" }
outputs.db = { dtype = "F", shape = "n" }
grad = "reference"
"""
INPUT = '{ dtype = "F", shape = "n" }'


@pytest.mark.parametrize(
    "reads, lacks",
    [
        (("x", "b", "kept", "k"), None),
        (("kept", "x", "k"), "b"),
        (("kept", "x", "b"), "k"),
        (("kept",), "k, x, b"),
    ],
)
def test_a_reference_is_not_taken_where_it_would_have_to_guess(tmp_path, reads, lacks):
    lines = [f"inputs.{n} = {INPUT}" for n in reads if n != "k"]
    lines += ['attrs.k = { type = "float" }'] if "k" in reads else []
    (tmp_path / "family.py").write_text("def f(xp, x, b, *, k): ...\n")
    spec = project(tmp_path, BACKWARD.replace("READS", "\n".join(lines)))
    *_, last = rule(spec, spec.op("f_bwd"))
    names = ["dy", *(n for n in reads if n != "k")]
    if lacks is None:
        assert last == "zero kept"
    else:
        assert last == f"refuse {' '.join(names)} : its reference needs {lacks}, not given here"


def test_a_refusal_gives_its_reason(ops):
    ops.define("f(Tensor x) -> Tensor", lambda x: x.clone())
    op = ops.rule("op f -> y", "refuse x : its reference needs b, not given here")
    with pytest.raises(RuntimeError, match="cannot be differentiated: its reference needs b"):
        op(f64(3)).sum().backward()


def test_sizes_whose_shape_goes_by_an_option(ops, tmp_path):
    """A size may be found in different dims, depending on an attr.

    `n` is a different dim of `b` if `b` is transposed.
    """
    spec = project(
        tmp_path,
        """
[ops.matmul]
DOC
inputs.a = { dtype = "F", shape = "m k" }
attrs.turned = { type = "bool", default = false }
outputs.y = { dtype = "F", shape = "m n" }
grad.backward = "matmul_bwd"
cost.flops = "2*m*n*k"

[ops.matmul.inputs.b]
dtype = "F"
shape = { turned = "n k", else = "k n" }
differentiable = false

[ops.matmul_bwd]
DOC
inputs.dy = { dtype = "F", shape = "m n" }
attrs.n = { type = "int" }
attrs.k = { type = "int" }
outputs.da = { dtype = "F", shape = "m k" }
grad = "none"
""",
    )
    seen = []

    def backward(dy, n, k):
        seen.append((n, k))
        return dy.new_zeros(len(dy), k)

    register(ops, spec, "matmul_bwd", backward)
    op = register(ops, spec, "matmul", lambda a, b, turned=False: a @ (b.T if turned else b))
    a = f64(2, 3)
    torch.autograd.grad(op(a, f64(3, 5).detach()).sum(), a)
    torch.autograd.grad(op(a, f64(5, 3).detach(), True).sum(), a)
    assert seen == [(5, 3), (5, 3)]
    count = eval(f"lambda a, b, turned: {flops(Names(spec.op('matmul')))}")
    assert count((2, 3), (3, 5), False) == count((2, 3), (5, 3), True) == 60


def test_a_cost_that_shapes_do_not_tell_is_not_counted(tmp_path):
    spec = project(
        tmp_path,
        """
[ops.twice]
DOC
inputs.x = { dtype = "F", shape = "*s m" }
outputs.y = { dtype = "F", shape = "*s m" }
grad = "none"
cost.flops = "m if F == f32 else 2*m"
""",
    )
    assert flops(Names(spec.op("twice"))) is None
