"""The code that turns autograd rules into gradients, with rules and ops that tests define."""

from __future__ import annotations

import threading

import pytest
import torch
from torch.autograd import grad, gradcheck, gradgradcheck


def f64(*shape: int) -> torch.Tensor:
    return torch.randn(*shape, dtype=torch.float64, requires_grad=True)


def scale_op(ops) -> torch.Tensor:
    """Define `a * b` with a separate backward op; both operands are saved, the result is not."""
    ops.define("scale(Tensor a, Tensor b) -> Tensor", lambda a, b: a * b)
    ops.define(
        "scale_bwd(Tensor dy, Tensor a, Tensor b) -> (Tensor, Tensor)",
        lambda dy, a, b: (dy * b, dy * a),
    )
    ops.rule("op scale_bwd -> da db", "refuse dy a b")
    return ops.rule("op scale -> y", "call scale_bwd cotangent:y input:a input:b -> a b")


# -- formulas ------------------------------------------------------------------------

UNARY = {
    "exp": torch.exp,
    "log": lambda x: torch.log(x.abs()),
    "sqrt": lambda x: x.abs().sqrt(),
    "rsqrt": lambda x: x.abs().rsqrt(),
    "tanh": torch.tanh,
    "erf": torch.erf,
    "sin": torch.sin,
    "cos": torch.cos,
    "sign": torch.sgn,
}


@pytest.mark.parametrize("name", UNARY)
def test_elementwise_functions(ops, name):
    ops.define("f(Tensor x) -> Tensor", lambda x: x.clone())
    before = "abs " if name in ("log", "sqrt", "rsqrt") else ""
    op = ops.rule("op f -> y", f"formula x cotangent:y input:x {before}{name} *")
    x = torch.randn(7, dtype=torch.float64, requires_grad=True)
    (dx,) = grad(op(x).sum(), x)
    torch.testing.assert_close(dx, UNARY[name](x.detach()))


@pytest.mark.parametrize(
    "words, value",
    [
        ("input:x 2 +", lambda x: x + 2),
        ("2 input:x -", lambda x: 2 - x),
        ("1 input:x /", lambda x: 1 / x),
        ("49 input:x //", lambda x: 49 // x),
        ("49 input:x %", lambda x: 49 % x),
        ("0.3 input:x /", lambda x: 0.3 / x),
        ("2 input:x **", lambda x: 2**x),
        ("input:x 2 **", lambda x: x**2),
        ("input:x 0.5 min", lambda x: x.clamp_max(0.5)),
        ("0.5 input:x max", lambda x: x.clamp_min(0.5)),
        (
            "input:x 0 > input:x 1 < and input:x -1 where",
            lambda x: torch.where((x > 0) & (x < 1), x, -1.0),
        ),
        ("0 input:x < not 3 5 where", lambda x: torch.where(x <= 0, 3.0, 5.0)),
        ("input:k 2 * 1 + input:x *", lambda x: 7 * x),
        ("input:mode 'sum' == input:x input:x neg where", lambda x: x),
        ("input:flag input:x input:x neg where", lambda x: -x),
        ("input:bias present input:bias input:x where", lambda x: x),
        ("let:n input:x *", lambda x: 5 * x),
    ],
)
def test_arithmetic_of_tensors_numbers_and_options(ops, words, value):
    ops.define(
        "f(Tensor x, Tensor? bias, int k, str mode, bool flag) -> Tensor",
        lambda x, bias, k, mode, flag: x.clone(),
    )
    op = ops.rule("op f -> y", "let n input:x sizes -1 item", f"formula x {words} cotangent:y *")
    for dtype in (torch.float64, torch.bfloat16):
        x = torch.linspace(-1.3, 1.9, 10).reshape(2, 5).to(dtype).requires_grad_()
        (dx,) = grad(op(x, None, 3, "sum", False).sum(), x)
        assert dx.dtype == dtype
        torch.testing.assert_close(dx, value(x.detach()).to(dtype))


def test_operands_are_aligned_by_name(ops):
    """Operands are aligned by dim names, even if one is permuted and the other is broadcast.

    The op is y[b, n, m] = x[m, b, n] * scale[m].
    """
    ops.define(
        "f(Tensor x, Tensor s) -> Tensor",
        lambda x, s: (x * s[:, None, None]).permute(1, 2, 0).contiguous(),
    )
    op = ops.rule(
        "op f -> y",
        # the dims of both are m, b, n
        "formula x cotangent:y 2 0 1 move input:s 1 2 insert *",
        "formula s cotangent:y 2 0 1 move input:x * 1 2 reduce",
    )
    assert gradcheck(op, (f64(3, 2, 4), f64(3)))
    assert gradgradcheck(op, (f64(3, 2, 4), f64(3)))


# -- backward calls ------------------------------------------------------------------


def test_only_what_is_needed_is_called(ops):
    called = []

    def spy(name, result):
        def kernel(*args):
            called.append((name, args[-1] if isinstance(args[-1], list) else None))
            return result(*args)

        return kernel

    ops.define("f(Tensor a, Tensor b, Tensor c) -> Tensor", lambda a, b, c: a + b + c)
    ops.define("fa(Tensor dy) -> Tensor", spy("fa", lambda dy: dy.clone()))
    ops.define(
        "fbc(Tensor dy, bool[] needed) -> (Tensor, Tensor)",
        spy("fbc", lambda dy, needed: (dy.clone(), dy.clone())),
    )
    op = ops.rule("op f -> y", "call fa cotangent:y -> a", "call fbc cotangent:y needed -> b c")
    a, b, c = f64(2), f64(2), f64(2)
    grad(op(a, b.detach(), c).sum(), (a, c))
    assert called == [("fa", None), ("fbc", [False, True])]
    called.clear()
    grad(op(a, b, c).sum(), (b,))
    assert called == [("fbc", [True, False])]
    called.clear()
    op(a.detach(), b.detach(), c.detach())
    with torch.no_grad():
        assert not op(a, b, c).requires_grad
    assert called == []


def test_missing_cotangents_are_zeros_or_absent(ops):
    given = []

    def backward(dy, dz, x):
        given.append((dy, dz))
        return (0 if dy is None else dy) + 2 * dz

    ops.define("f(Tensor x) -> (Tensor, Tensor, Tensor)", lambda x: (x.clone(), 2 * x, x.long()))
    ops.define("f_bwd(Tensor? dy, Tensor dz, Tensor x) -> Tensor", backward)
    op = ops.rule("op f -> y z i", "call f_bwd cotangent?:y cotangent:z input:x -> x")
    x = f64(3)
    y, z, i = op(x)
    assert y.requires_grad and z.requires_grad and not i.requires_grad
    torch.testing.assert_close(grad(z.sum(), x, retain_graph=True)[0], torch.full_like(x, 2))
    assert given[-1][0] is None
    torch.testing.assert_close(grad(y.sum(), x, retain_graph=True)[0], torch.ones_like(x))
    assert torch.equal(given[-1][1], torch.zeros(3, dtype=torch.float64))
    assert grad((y + z).sum(), x)[0].sum() == 9


def test_optional_inputs_lists_and_sizes(ops):
    """A backward supports optional inputs, lists and sizes: y = concat(xs) (+ bias).

    A list has as many gradients as elements.
    """

    def forward(xs, bias):
        y = torch.cat(xs)
        return y if bias is None else y + bias

    def backward(dy, xs, n):
        parts = dy.split([len(x) for x in xs])
        return [part.clone() for part in parts], dy[:n] * 1.0

    ops.define("cat(Tensor[] xs, Tensor? bias) -> Tensor", forward)
    ops.define("cat_bwd(Tensor dy, Tensor[] xs, SymInt n) -> (Tensor[], Tensor)", backward)
    op = ops.rule(
        "op cat -> y",
        "let n input:xs len 3 *",
        "call cat_bwd cotangent:y input:xs let:n -> xs bias",
    )
    a, b, bias = f64(4), torch.randn(2, dtype=torch.float64), f64(6)
    assert gradcheck(lambda a, bias: op([a, b], bias), (a, bias))
    assert gradcheck(lambda a: op([b, a], None), (a,))


def widened(ops) -> torch.Tensor:
    """Define an op that returns `x` in f32; its backward kernel also returns f32."""
    ops.define("f(Tensor x) -> Tensor", lambda x: x.float())
    ops.define("f_bwd(Tensor dy) -> Tensor", lambda dy: dy.clone())
    ops.rule("op f_bwd -> dx", "formula dy cotangent:dx")
    return ops.rule("op f -> y", "call f_bwd cotangent:y -> x")


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16, torch.float64])
@pytest.mark.parametrize("shape", [(), (0,), (3,), (512,), (513,), (3, 5)], ids=str)
@pytest.mark.parametrize("create_graph", [False, True])
def test_gradients_have_the_dtype_of_their_primal(ops, dtype, shape, create_graph):
    x = torch.randn(shape).to(dtype).requires_grad_()
    dy = torch.randn(shape)
    dy.view(-1)[:3] = torch.tensor([torch.nan, -torch.inf, 1 + 2**-8])[: dy.numel()]
    (dx,) = grad(widened(ops)(x), x, dy, create_graph=create_graph)
    assert dx.dtype == dtype
    torch.testing.assert_close(dx, dy.to(dtype), rtol=0, atol=0, equal_nan=True)


def test_gradients_need_not_be_contiguous(ops):
    op = widened(ops)
    x = torch.randn(3, 5).bfloat16().requires_grad_()
    dy = torch.randn(5, 3).T
    (dx,) = grad(op(x), x, dy)
    torch.testing.assert_close(dx, dy.bfloat16(), rtol=0, atol=0)


@pytest.mark.parametrize("columns", [3, 6])  # times 100: a small and a large array
def test_gradients_are_summed_before_they_are_narrowed(ops, columns):
    ops.define("f(Tensor x) -> Tensor", lambda x: x.float().expand(100, -1).clone())
    ops.define("f_bwd(Tensor dy) -> Tensor", lambda dy: dy.clone())
    op = ops.rule("op f -> y", "call f_bwd cotangent:y -> x")
    x = torch.zeros(columns, dtype=torch.bfloat16, requires_grad=True)
    (dx,) = grad(op(x), x, torch.full((100, columns), 1 + 2**-8))
    assert dx.tolist() == [100.5] * columns


def test_a_leaf_may_want_its_gradient_in_another_dtype(ops):
    op = widened(ops)
    x = torch.randn(3).bfloat16().requires_grad_()
    x.grad_dtype = torch.float32
    op(x).backward(torch.full((3,), 1 + 2**-10))
    assert x.grad.tolist() == [1 + 2**-10] * 3


# -- what must fail ------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore:Using backward")
def test_an_op_without_gradient_says_so(ops):
    ops.define("f(Tensor x) -> Tensor", lambda x: 2 * x)
    op = ops.rule("op f -> y", "refuse x")
    x = f64(3)
    message = rf'{ops.name}\.f cannot be differentiated: its spec says grad = "none"'
    for create_graph in (False, True):
        with pytest.raises(RuntimeError, match=message):
            op(x).sum().backward(create_graph=create_graph)
        with pytest.raises(RuntimeError, match=message):
            grad(op(x).sum(), x, create_graph=create_graph)
    assert torch.equal(op(x.detach()), 2 * x)


def test_second_order_of_a_backward_without_gradient_says_so(ops):
    op = scale_op(ops)
    a, b = f64(3), f64(3)
    (da,) = grad(op(a, b).pow(2).sum(), a, create_graph=True)
    with pytest.raises(RuntimeError, match="scale_bwd cannot be differentiated"):
        da.sum().backward()
    (da,) = grad(op(a, b).pow(2).sum(), a, create_graph=True)
    with pytest.raises(RuntimeError, match="scale_bwd cannot be differentiated"):
        grad(da.sum(), b)


def test_one_refused_input(ops):
    ops.define("f(Tensor x, Tensor t) -> Tensor", lambda x, t: x * t)
    op = ops.rule("op f -> y", "formula x cotangent:y input:t *", "refuse t")
    x, t = f64(3), f64(3)
    assert torch.equal(grad(op(x, t).sum(), x)[0], t)
    with pytest.raises(RuntimeError, match="no gradient with respect to t"):
        grad(op(x, t).sum(), t)


def test_conditions_of_a_gradient(ops):
    ops.define("f(Tensor x, bool paged) -> Tensor", lambda x, paged: x.clone())
    op = ops.rule(
        "op f -> y",
        "require input:paged not : a paged cache has no gradient",
        "formula x cotangent:y",
    )
    x = f64(3)
    op(x.detach(), True)
    with pytest.raises(RuntimeError, match="f: a paged cache has no gradient"):
        op(x, True)


def test_forward_mode_is_an_error_never_a_zero(ops):
    op = scale_op(ops)
    a, b = torch.randn(3), torch.randn(3)
    with pytest.raises(NotImplementedError, match=r"scale has no forward-mode"):
        torch.func.jvp(lambda a: op(a, b), (a,), (a,))
    with torch.autograd.forward_ad.dual_level():
        dual = torch.autograd.forward_ad.make_dual(a, b)
        with pytest.raises(NotImplementedError, match=r"scale has no forward-mode"):
            op(dual, b)


def test_saved_tensors_are_guarded(ops):
    op = scale_op(ops)
    a, b = f64(3), torch.randn(3, dtype=torch.float64)
    y = op(a, b)
    b.add_(1)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        y.sum().backward()
    y = op(a, b).sum()
    y.backward(retain_graph=True)
    y.backward()
    with pytest.raises(RuntimeError, match="backward through the graph a second time"):
        y.backward()


@pytest.mark.parametrize(
    "lines, problem",
    [
        (["op nothing -> y"], "nothing"),
        (["op f -> y z"], "other results"),
        (["op f -> y", "formula b cotangent:y"], "unknown name `b`"),
        (["op f -> y", "formula x cotangent:q"], "unknown name `q`"),
        (["op f -> y", "formula x cotangent:y frobnicate"], "frobnicate"),
        (["op f -> y", "zero x", "refuse x"], "cannot have this gradient"),
        (["op f -> y", "call f cotangent:y input:x -> x"], "wrong number of arguments"),
    ],
)
def test_rules_that_do_not_fit_are_refused(ops, lines, problem):
    ops.define("f(Tensor x) -> Tensor", lambda x: x.clone())
    with pytest.raises(ValueError, match=problem):
        ops.rule(*lines)


# -- updates, autocast ---------------------------------------------------------------


def test_updates_move_the_version_counter(ops):
    def update(x, y):
        x.add_(y)

    ops.define("add_(Tensor(a!) x, Tensor y) -> ()", update)
    op = ops.rule("op add_ ->", "refuse x y")
    x, other = torch.zeros(3), torch.ones(3, requires_grad=True)
    product = x * other
    op(x, torch.ones(3))
    assert x.sum() == 3 and x._version == 1
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        product.sum().backward()
    with pytest.raises(RuntimeError, match="x requires a gradient"):
        op(other, torch.ones(3))
    with torch.no_grad():
        op(other, torch.ones(3))


@pytest.mark.parametrize("policy", ["lower", "f32"])
def test_autocast_follows_the_active_dtype(ops, policy):
    ops.define("f(Tensor x, Tensor i) -> Tensor", lambda x, i: x * 1)
    op = ops.rule("op f -> y", f"autocast {policy}", "formula x cotangent:y")
    i = torch.arange(3)
    for active in (torch.bfloat16, torch.float16):
        with torch.autocast("cpu", dtype=active):
            lower = active if policy == "lower" else torch.float32
            assert op(torch.randn(3), i).dtype == lower
            assert op(torch.randn(3).bfloat16(), i).dtype == lower
            assert op(torch.randn(3).double(), i).dtype == torch.float64
            x = torch.randn(3, requires_grad=True)
            assert grad(op(x, i).sum(), x)[0].dtype == torch.float32
    assert op(torch.randn(3), i).dtype == torch.float32


# -- the rest of PyTorch -------------------------------------------------------------


def test_hooks_and_checkpoint(ops):
    op = scale_op(ops)
    a, b = f64(3), f64(3)
    packed = []
    with torch.autograd.graph.saved_tensors_hooks(
        lambda t: packed.append(t) or len(packed) - 1, lambda i: packed[i]
    ):
        y = op(a, b)
    assert len(packed) == 2
    assert torch.equal(grad(y.sum(), a)[0], b)
    again = torch.utils.checkpoint.checkpoint(op, a, b, use_reentrant=False)
    assert torch.equal(grad(again.sum(), a)[0], b)


def test_compiled_autograd_and_compile(ops):
    op = scale_op(ops)

    def loss(a, b):
        return op(a, b).sin().sum()

    def eager(backend):
        return torch.compile(backend=backend, fullgraph=True, dynamic=True)

    compiled = torch.compile(loss, fullgraph=True, dynamic=True, backend="aot_eager")
    for n in (3, 5, 8):
        a, b = f64(n), f64(n)
        wanted = grad(loss(a, b), (a, b))
        with torch._dynamo.compiled_autograd._enable(eager("aot_eager")):
            loss(a, b).backward()
        for x, dx, dy in zip((a, b), wanted, grad(compiled(a, b), (a, b))):
            assert torch.equal(x.grad, dx) and torch.equal(dy, dx)


def test_compiled_autograd_with_lists_numbers_and_missing_cotangents(ops):
    ops.define(
        "f(Tensor[] xs, float k) -> (Tensor, Tensor)", lambda xs, k: (torch.cat(xs) * k, xs[0] * 1)
    )
    ops.define(
        "f_bwd(Tensor dy, Tensor dz, Tensor[] xs, float k) -> Tensor[]",
        lambda dy, dz, xs, k: [k * dy[: len(xs[0])] + dz, k * dy[len(xs[0]) :]],
    )
    op = ops.rule("op f -> y z", "call f_bwd cotangent:y cotangent:z input:xs input:k -> xs")
    compiler = torch.compile(backend="eager", fullgraph=True, dynamic=True)
    for n, k in ((2, 3.0), (4, 5.0), (7, 2.0)):
        a, b = f64(n), f64(n + 1)
        with torch._dynamo.compiled_autograd._enable(compiler):
            op([a, b], k)[0].sum().backward()
            assert torch.equal(a.grad, torch.full_like(a, k))
            op([a, b], k)[1].sum().backward()
        assert torch.equal(a.grad, torch.full_like(a, k + 1))
        assert torch.equal(b.grad, torch.full_like(b, k))


def test_many_threads(ops):
    """If threads share a graph and its leaves, every backward is right."""
    op = scale_op(ops)
    a, b = f64(64), f64(64)
    y = op(a, b)
    wrong = []

    def work():
        for _ in range(50):
            (da,) = grad(y.sum(), a, retain_graph=True)
            (db,) = grad(op(a, b).sum(), b)
            if not (torch.equal(da, b) and torch.equal(db, a)):
                wrong.append(1)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_numbers_by_tensors_are_those_of_pytorch(ops):
    """Division of numbers by tensors gives PyTorch's results.

    49 // 49 is 1 in every dtype; 49 times a reciprocal would be less than 1 in float64.
    """
    ops.define("f(Tensor x) -> Tensor", lambda x: x.clone())
    op = ops.rule("op f -> y", "formula x 49 input:x // cotangent:y *")
    ops.define("g(Tensor x) -> Tensor", lambda x: x.clone())
    divide = ops.rule("op g -> y", "formula x 0.1 input:x / cotangent:y *")
    for dtype in (torch.float64, torch.float32, torch.bfloat16, torch.float16):
        x = torch.arange(1, 200).to(dtype).requires_grad_()
        quotient = torch.full_like(x, 0.1) / x.detach()  # PyTorch's 0.1 / x rounds twice
        for f, wanted in ((op, 49 // x.detach()), (divide, quotient)):
            (dx,) = grad(f(x).sum(), x)
            assert dx.dtype == dtype
            torch.testing.assert_close(dx, wanted, rtol=0, atol=0)


@pytest.mark.parametrize(
    ("words", "value"),
    [
        ("1.0 0.1 //", 1.0 // 0.1),
        ("-7.5 2.0 //", -7.5 // 2.0),
        ("1.0 0.1 %", 1.0 % 0.1),
        ("-7.5 2.0 %", -7.5 % 2.0),
        ("6.0 -2.5 %", 6.0 % -2.5),
        ("-7 2 //", -7 // 2),
        ("-7 2 %", -7 % 2),
    ],
)
def test_numbers_calculate_as_in_python(ops, words, value):
    ops.define("f(Tensor x) -> Tensor", lambda x: x.clone())
    op = ops.rule("op f -> y", f"formula x {words} cotangent:y *")
    x = torch.ones(1, dtype=torch.float64, requires_grad=True)
    assert grad(op(x).sum(), x)[0].item() == value
