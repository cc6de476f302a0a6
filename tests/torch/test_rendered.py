"""The rendered package in PyTorch: transforms, tracing, second derivatives, errors, and import."""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import sys
import weakref
from contextlib import nullcontext
from functools import partial
from pathlib import Path

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from torch.autograd import forward_ad
from torch.func import grad, hessian, jacfwd, jacrev, jvp, vmap
from torch.utils.flop_counter import FlopCounterMode

import generated
from generated._opgen.torch.call import CALLS
from generated.torch import (
    conv2d_wgrad,
    fused_add_rms_norm,
    relu,
    rms_norm,
    rms_norm_bwd,
    tensor_add,
    tensor_negate,
)
from tests.drawn import PROJECT

PACKAGE = Path(generated.__file__).parent
SMALL = torch.randn(3, 4, generator=torch.Generator().manual_seed(0))


def eager_norm(x, weight, eps=1e-5):
    """Compute `rms_norm` in PyTorch's own operators."""
    return x * torch.rsqrt((x * x).mean(-1, keepdim=True) + eps) * weight


def network(x, weight):
    return tensor_add(relu(rms_norm(x, weight)), tensor_negate(x)).pow(3).sum()


def eager_network(x, weight):
    return (torch.relu(eager_norm(x, weight)) - x).pow(3).sum()


def rows(f, *batches):
    return torch.stack([f(*row) for row in zip(*batches)])


# -- transforms ----------------------------------------------------------------------


def test_vmap_refuses_updates_of_what_is_the_same_for_all():
    x, residual, weight = torch.ones(3, 2, 4), torch.ones(2, 4), torch.ones(4)
    with pytest.raises(ValueError, match="fused_add_rms_norm: residual: it is updated in place"):
        vmap(lambda x: fused_add_rms_norm(x, residual, weight))(x)
    copies = residual.expand(3, *residual.shape).clone()
    vmap(lambda x, residual: fused_add_rms_norm(x, residual, weight))(x, copies)
    torch.testing.assert_close(copies, x + residual)


def test_transforms_compose():
    x, weight = torch.randn(5, 3, 4).double(), torch.randn(5, 4).double()

    def curvature(f):
        inner = grad(lambda x, w: f(x, w))
        return grad(lambda x, w: inner(x, w).pow(2).sum(), argnums=1)

    ours, wanted = curvature(network), curvature(eager_network)
    torch.testing.assert_close(vmap(grad(network))(x, weight), rows(grad(eager_network), x, weight))
    torch.testing.assert_close(vmap(ours)(x, weight), rows(wanted, x, weight))
    torch.testing.assert_close(
        jacrev(rms_norm)(x[0], weight[0]), jacrev(eager_norm)(x[0], weight[0])
    )
    torch.testing.assert_close(
        jacrev(grad(network))(x[0], weight[0]), hessian(eager_network)(x[0], weight[0])
    )


@pytest.mark.parametrize("size", [0, 1, 3])
@pytest.mark.parametrize("in_dims", [(0, None), (1, None), (None, 0), (2, 1)])
def test_vmap_over_any_dim_and_empty_batches(size, in_dims):
    shapes = [[2, 4], [4]]
    for shape, dim in zip(shapes, in_dims):
        if dim is not None:
            shape.insert(dim, size)
    x, weight = map(torch.randn, shapes)
    got = vmap(rms_norm, in_dims, out_dims=1)(x, weight)
    assert got.shape == (2, size, 4)
    torch.testing.assert_close(got, vmap(eager_norm, in_dims, out_dims=1)(x, weight))


# Ops whose backward has optional results, PyTorch's own functions, and shapes of their inputs.
BATCHED = {
    "layer_norm": (
        partial(generated.torch.layer_norm, normalized_shape=[4]),
        lambda x, weight, bias: F.layer_norm(x, [4], weight, bias),
        [(3, 4), (4,), (4,)],
    ),
    "conv2d": (generated.torch.conv2d, F.conv2d, [(1, 2, 3, 3), (2, 2, 2, 2), (2,)]),
    "linear_cross_entropy": (
        lambda hidden, weight: generated.torch.linear_cross_entropy(hidden, weight, TARGET),
        lambda hidden, weight: F.cross_entropy(hidden @ weight.mT, TARGET),
        [(3, 4), (5, 4)],
    ),
    "soft_cross_entropy": (
        generated.torch.soft_cross_entropy,
        F.cross_entropy,
        [(3, 5), (3, 5)],
    ),
}
TARGET = torch.tensor([0, 4, 2])


@pytest.mark.parametrize("name", BATCHED)
def test_batched_gradients(name):
    ours, theirs, shapes = BATCHED[name]
    inputs = [torch.randn(shape, requires_grad=True) for shape in shapes]
    cotangents = torch.randn(2, *theirs(*inputs).shape)
    for wanted in (inputs, inputs[:1]):
        found, known = (
            torch.autograd.grad(f(*inputs), wanted, cotangents, is_grads_batched=True)
            for f in (ours, theirs)
        )
        torch.testing.assert_close(found, known, rtol=1e-4, atol=1e-5)
    found, known = (
        torch.autograd.functional.hessian(
            lambda x: f(x, *inputs[1:]).square().sum(), inputs[0], vectorize=True
        )
        for f in (ours, theirs)
    )
    torch.testing.assert_close(found, known, rtol=1e-4, atol=1e-4)


def tangent_of(f):
    def tangent(x, weight):
        with forward_ad.dual_level():
            y = f(forward_ad.make_dual(x, x.cos()), weight)
            return forward_ad.unpack_dual(y).tangent

    return tangent


def forward_over_reverse(f):
    """Return the tangent of a gradient, by PyTorch's autograd without functorch's transforms."""

    def tangent(x, weight):
        with forward_ad.dual_level():
            dual = forward_ad.make_dual(x.clone().requires_grad_(), x.cos())
            (dx,) = torch.autograd.grad(f(dual, weight).pow(3).sum(), dual, create_graph=True)
            return forward_ad.unpack_dual(dx).tangent

    return tangent


def reverse_over_forward(f):
    def gradient(x, weight):
        x = x.clone().requires_grad_()
        return torch.autograd.grad(tangent_of(f)(x, weight).pow(2).sum(), x)[0]

    return gradient


FORWARD = {
    "dual": tangent_of,
    "forward over reverse": forward_over_reverse,
    "reverse over forward": reverse_over_forward,
    "jvp": lambda f: lambda x, w: jvp(f, (x, w), (x.cos(), w.sin())),
    "jacfwd": lambda f: jacfwd(f, (0, 1)),
    "hessian": lambda f: hessian(lambda x, w: f(x, w).pow(3).sum(), (0, 1)),
    "jvp of grad": lambda f: lambda x, w: jvp(grad(lambda x: f(x, w).pow(3).sum()), (x,), (x,)),
    "grad of jvp": lambda f: lambda x, w: grad(
        lambda x: jvp(lambda x: f(x, w), (x,), (x.cos(),))[1].pow(2).sum()
    )(x),
    "vmap of jvp": lambda f: vmap(lambda x, w: jvp(lambda x: f(x, w), (x,), (x,)), (0, None)),
    "jvp of vmap": lambda f: lambda x, w: jvp(lambda x: vmap(f, (0, None))(x, w), (x,), (x,)),
    "jvp of jvp": lambda f: lambda x, w: jvp(
        lambda x: jvp(lambda x: f(x, w), (x,), (x.cos(),))[1], (x,), (x,)
    ),
    "compiled jvp": lambda f: torch.compile(
        lambda x, w: jvp(f, (x, w), (x.cos(), w.sin())), backend="aot_eager", fullgraph=True
    ),
}
NATIVE = {
    rms_norm: eager_norm,
    relu: lambda x, _: x.relu(),  # its backward's gradient is a formula
}


@pytest.mark.parametrize("op", NATIVE, ids=lambda op: op.__name__)
@pytest.mark.parametrize("mode", FORWARD)
def test_forward_mode(mode, op):
    torch.compiler.reset()
    x, weight = torch.randn(3, 4).double(), torch.randn(4).double()
    ours = rms_norm if op is rms_norm else lambda x, _: relu(x)
    found = FORWARD[mode](ours)(x, weight)
    torch.testing.assert_close(found, FORWARD[mode](NATIVE[op])(x, weight))


def test_third_order():
    x = SMALL.double().requires_grad_()
    weight = torch.randn(4).double()

    def third(f):
        (g,) = torch.autograd.grad(f(x, weight), x, create_graph=True)
        (g,) = torch.autograd.grad(g.pow(2).sum(), x, create_graph=True)
        return torch.autograd.grad(g.sum(), x)[0]

    torch.testing.assert_close(third(network), third(eager_network))


def test_no_residual_is_differentiable():
    x = SMALL.clone().requires_grad_()
    y, invvar = torch.ops.generated.rms_norm.default(x, SMALL[0], 1e-5)
    assert y.requires_grad and not invvar.requires_grad
    assert "RmsNormBackward" in y.grad_fn.name()


# -- tracing -------------------------------------------------------------------------


def test_compiles_whole_with_dynamic_sizes_and_second_order():
    def step(x, weight):
        return grad(lambda x: grad(network)(x, weight).pow(2).sum())(x)

    compiled = torch.compile(step, fullgraph=True, dynamic=True, backend="aot_eager")
    with torch._dynamo.config.patch(error_on_recompile=False):
        for n in (2, 5):
            x, weight = torch.randn(n, 4), torch.randn(4)
            torch.testing.assert_close(compiled(x, weight), step(x, weight))


def test_exports_with_dynamic_dims():
    class Model(torch.nn.Module):
        def forward(self, x, weight):
            return relu(rms_norm(x, weight, eps=1e-3))

    rows, columns = torch.export.Dim("rows"), torch.export.Dim("columns")
    program = torch.export.export(
        Model(),
        (torch.randn(3, 4), torch.randn(4)),
        dynamic_shapes={"x": (rows, columns), "weight": (columns,)},
    )
    buffer = io.BytesIO()
    torch.export.save(program, buffer)
    buffer.seek(0)
    module = torch.export.load(buffer).module()
    for shape in ((7, 4), (2, 9)):
        x, weight = torch.randn(shape), torch.randn(shape[-1])
        torch.testing.assert_close(module(x, weight), Model()(x, weight))


@pytest.mark.parametrize("strict", [pytest.param(False, marks=pytest.mark.slow), True])
def test_an_exported_program_may_leave_out_the_first_result(strict, tmp_path):
    """An exported program may leave out the first result.

    AOTInductor does not support None there, so the program computes it and does not return it.
    """

    class Model(torch.nn.Module):
        def forward(self, dy, x):
            dweight, dbias = conv2d_wgrad(dy, x, r=2, s=2, wanted=["dbias"])
            assert dweight is None
            return dbias

    given = torch.randn(1, 3, 3, 3), torch.randn(1, 2, 4, 4)
    for name in ("core", "on_request"):  # as before the first call of the op
        vars(CALLS["conv2d_wgrad"]).pop(name, None)
    program = torch.export.export(Model(), given, strict=strict)
    wanted = Model()(*given)
    assert torch.equal(program.module()(*given), wanted)
    if strict:
        return
    path = torch._inductor.aoti_compile_and_package(program, package_path=f"{tmp_path}/bias.pt2")
    assert torch.equal(torch._inductor.aoti_load_package(path)(*given), wanted)


def test_schemas_have_the_defaults_of_specs():
    """Schemas have the defaults of specs.

    Attrs of type dtype have none, nor have tensors before an attr that is required.
    """
    for op in PROJECT.ops:
        arguments = getattr(torch.ops.generated, op.name).default._schema.arguments
        given = [argument.has_default_value() for argument in arguments]
        for n, attr in enumerate(op.attrs, len(op.inputs)):
            assert given[n] is not (attr.required or attr.type == "dtype"), (op.name, attr.name)
        for n, tensor in enumerate(op.inputs):
            if not (tensor.always or tensor.list):
                assert given[n] is all(given[n + 1 :]), (op.name, tensor.name)


def test_the_library_without_the_package_says_that_it_has_no_gradients():
    program = f"""
import glob, torch
(path,) = glob.glob("{PACKAGE}/lib/libgenerated_torch-*.so")
torch.ops.load_library(path)
x = torch.ones(3, requires_grad=True)
torch.ops.generated.rms_norm(x, x)[0].sum().backward()
print(x.grad)
"""
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert told.returncode == 0 and told.stdout == "None\n", told.stderr
    assert "an autograd kernel was not registered" in told.stderr


def test_sizes_that_depend_on_data():
    @torch.compile(fullgraph=True, backend="aot_eager")
    def positive(x, weight):
        return rms_norm(x[x[:, 0] > 0], weight)

    with torch._dynamo.config.patch(capture_dynamic_output_shape_ops=True):
        wanted = rms_norm(SMALL[SMALL[:, 0] > 0], SMALL[0])
        assert torch.equal(positive(SMALL, SMALL[0]), wanted)


def test_flops_are_counted():
    with FlopCounterMode(display=False) as counter:
        tensor_add(rms_norm(SMALL, SMALL[0]), SMALL)
    assert counter.get_total_flops() == 4 * SMALL.numel() + SMALL.numel()


def counted(function, *inputs) -> tuple[int, int]:
    """Return the FLOPs of a call and of its backward."""
    leaves = [x.clone().requires_grad_() for x in inputs]
    with FlopCounterMode(display=False) as forward:
        y = function(*leaves)
    with FlopCounterMode(display=False) as backward:
        y.sum().backward()
    return forward.get_total_flops(), backward.get_total_flops()


@pytest.mark.parametrize("options", [{}, {"groups": 2, "stride": (2, 1), "padding": (1, 0)}])
def test_flops_of_a_convolution_are_those_of_pytorch(options):
    """FLOPs of a convolution equal PyTorch's, except with groups.

    PyTorch counts a weight's gradient once for each group.
    """
    groups = options.get("groups", 1)
    x, weight = torch.randn(2, 4, 9, 7), torch.randn(6, 4 // groups, 3, 2)
    forward, backward = counted(partial(generated.torch.conv2d, **options), x, weight)
    assert backward == 2 * forward > 0
    native = counted(partial(F.conv2d, **options), x, weight)
    assert native == (forward, backward + (groups - 1) * forward)


def test_flops_of_attention_are_those_of_its_products():
    """FLOPs of attention are those of two products in the forward and five in the backward.

    The backward computes the scores again.
    """
    heads, tokens, d, e = 3, 5, 8, 6
    q, k, v = (torch.randn(tokens, heads, size) for size in (d, d, e))
    ends = torch.tensor([0, tokens], dtype=torch.int32)
    forward, backward = counted(
        lambda q, k, v: generated.torch.varlen_attention(
            q, k, v, ends, ends, max_q=tokens, max_k=tokens
        ),
        q,
        k,
        v,
    )
    apart = [x.transpose(0, 1) for x in (q, k, v)]
    assert (forward, 2 * (3 * d + 2 * e) * heads * tokens**2) == (
        counted(lambda q, k, v: (q @ k.mT).softmax(-1) @ v, *apart)[0],
        backward,
    )


@pytest.mark.slow
@pytest.mark.parametrize("first", ["generated.torch", "torch.utils.flop_counter"])
def test_flops_are_counted_whenever_the_counter_is_imported(first):
    code = f"""
import importlib.util, sys
import {first}
import generated.torch, torch
from generated._opgen.torch import importing
from generated._opgen.torch.flops import COUNTER
others = []
spec = importlib.util.spec_from_file_location("another", importing.__file__)
another = importlib.util.module_from_spec(spec)  # of another package of ops
spec.loader.exec_module(another)
another.when_imported(COUNTER, lambda: others.append(COUNTER))
here = COUNTER in sys.modules
assert importlib.util.find_spec(COUNTER) and len(others) == here  # looked for, not imported
import torch.utils.flop_counter
assert others == [COUNTER]
with torch.utils.flop_counter.FlopCounterMode(display=False) as counter:
    generated.torch.relu(torch.ones(3, 5))
print(counter.get_total_flops(), COUNTER in importing.waiting or COUNTER in another.waiting)
"""
    done = run(code, PACKAGE.parent)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["15", "False"]


@pytest.mark.slow
def test_dtensor_is_told_however_often_it_was_looked_for():
    code = """
import importlib.util
import generated.torch, torch
assert importlib.util.find_spec("torch.distributed.tensor")
import torch.distributed as dist
dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
from torch.distributed.tensor import Shard, distribute_tensor, init_device_mesh
x = distribute_tensor(torch.randn(4), init_device_mesh("cpu", (1,)), [Shard(0)])
print(generated.torch.relu(x).placements)
"""
    done = run(code, PACKAGE.parent)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "(Shard(dim=0),)"


def test_graphs_are_freed():
    x = torch.randn(3, 4, requires_grad=True)
    for op in (relu, lambda x: rms_norm(x, SMALL[0])):
        inner = x * 1
        y = op(inner)
        kept = weakref.ref(inner)
        del inner, y
        assert kept() is None


# -- wrong calls ---------------------------------------------------------------------

WRONG = {
    "none": (lambda: rms_norm(None, SMALL[0]), TypeError, "rms_norm: x: .*tensor.*None"),
    "list": (lambda: rms_norm(SMALL, [1.0] * 4), TypeError, "rms_norm: weight: .*tensor.*list"),
    "array": (lambda: relu(np.ones(3)), TypeError, "relu: x: .*tensor.*ndarray"),
    "dtype": (lambda: relu(SMALL.to(torch.complex64)), TypeError, "relu: x: .*dtype.*c64"),
    "dtypes": (lambda: tensor_add(SMALL, SMALL.double()), TypeError, "tensor_add: b: .*f32.*f64"),
    "rank": (lambda: tensor_add(SMALL[0], SMALL[0]), TypeError, "tensor_add: a: .*2 dims.*1"),
    "size": (
        lambda: rms_norm(SMALL, SMALL[0, :3]),
        ValueError,
        r"rms_norm: x: .*\(3, 3\).*\(3, 4\)",
    ),
    "value": (lambda: rms_norm(SMALL, SMALL[0], eps=-1.0), ValueError, "rms_norm: eps: .*0.*-1"),
    "kind": (
        lambda: rms_norm(SMALL, SMALL[0], eps="no"),
        TypeError,
        "rms_norm: eps: .*number.*str",
    ),
    "device": (
        lambda: rms_norm(SMALL, SMALL[0].to("meta")),
        ValueError,
        "rms_norm: weight: .*cpu.*x.*meta",
    ),
}


@pytest.mark.parametrize("case", WRONG)
@pytest.mark.parametrize("fake", [False, True])
def test_wrong_calls_name_op_argument_expected_and_got(case, fake):
    call, error, message = WRONG[case]
    mode = torch._subclasses.FakeTensorMode(allow_non_fake_inputs=True)
    with pytest.raises(error, match=message) as caught:
        with mode if fake else nullcontext():
            call()
    text = str(caught.value)
    assert "\n" not in text and ".cpp" not in text and ".h" not in text
    assert caught.value.__context__ is None or caught.value.__suppress_context__


def test_a_device_without_kernel_is_named():
    from generated._opgen import torch as _runtime

    error = NotImplementedError("Could not run 'generated::relu' with arguments from")
    told = _runtime.explain("relu", error, SMALL)
    assert str(told) == "relu: there is no kernel for cpu"


# -- import --------------------------------------------------------------------------


def run(code: str, folder: Path) -> subprocess.CompletedProcess:
    """Run code as in an installation, in which Python caches bytecode."""
    kept = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    return subprocess.run(
        [sys.executable, "-c", code], cwd=folder, env=kept, capture_output=True, text=True
    )


def test_import_leaves_other_frameworks_alone():
    """Importing the package does not import other frameworks.

    `python -m bench imports` measures the time of the import.
    """
    code = """
import sys, torch
import generated.torch
print([name for name in ("jax", "jaxlib", "opgen", "array_api_compat", "torch.distributed.tensor", "torch.utils.flop_counter") if name in sys.modules])
"""
    done = run(code, PACKAGE.parent)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "[]\n"


def test_a_missing_library_says_what_to_run(tmp_path):
    for part in ("__init__.py", "_opgen", "core", "torch"):
        source, to = PACKAGE / part, tmp_path / "generated" / part
        (
            shutil.copytree(source, to)
            if source.is_dir()
            else to.parent.mkdir() or shutil.copy(source, to)
        )
    code = "try:\n    import generated.torch\nexcept ImportError as error:\n    print(error)\n"
    (line,) = run(code, tmp_path).stdout.splitlines()
    assert "libgenerated_torch-" in line and line.endswith("run `opgen build`")


def test_the_backward_has_a_face():
    y, invvar = torch.ops.generated.rms_norm.default(SMALL, SMALL[0], 1e-5)
    dx, dweight = rms_norm_bwd(torch.ones_like(y), invvar, SMALL, SMALL[0])
    x, weight = SMALL.clone().requires_grad_(), SMALL[0].clone().requires_grad_()
    wanted = torch.autograd.grad(eager_norm(x, weight).sum(), (x, weight))
    torch.testing.assert_close((dx, dweight), wanted)


def test_ops_have_the_tag_of_those_that_compile():
    for name in generated.core.__all__[2:]:  # after the names that are not ops
        packet = getattr(torch.ops.generated, name)
        for overload in {"default", "out"} & {*packet.overloads()}:
            tags = getattr(packet, overload).tags
            assert tags.count(torch.Tag.pt2_compliant_tag) == 1, name
