"""`patch` replaces a model's layers by ops with equal values, and can be undone."""

from __future__ import annotations

import copy
import functools
import io
import sys
from types import ModuleType

import pytest
import torch
from torch import nn

from generated.torch import Patch, patch, register_patch

LLAMA = "transformers.models.llama.modeling_llama"
GEMMA = "transformers.models.gemma.modeling_gemma"


class LlamaRMSNorm(nn.Module):
    def __init__(self, size, eps=1e-6):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(size))
        self.variance_epsilon = eps

    def forward(self, hidden_states):
        dtype = hidden_states.dtype
        x = hidden_states.to(torch.promote_types(dtype, torch.float32))
        x = x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + self.variance_epsilon)
        return self.weight * x.to(dtype)


class GemmaRMSNorm(nn.Module):
    def __init__(self, size, eps=1e-6):
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(size))
        self.eps = eps

    def forward(self, x):
        wide = x.to(torch.promote_types(x.dtype, torch.float32))
        y = wide * torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + self.eps)
        return (y * (1 + self.weight.to(wide.dtype))).type_as(x)


class LlamaMLP(nn.Module):
    def __init__(self, size, inner, act=nn.SiLU):
        super().__init__()
        self.gate_proj, self.up_proj = (nn.Linear(size, inner, bias=False) for _ in range(2))
        self.down_proj = nn.Linear(inner, size, bias=False)
        self.act_fn = act()

    def forward(self, x):
        return self.down_proj(self.act_fn(self.gate_proj(x)) * self.up_proj(x))


@pytest.fixture(autouse=True)
def transformers(monkeypatch):
    """Create modules of transformers with these test classes, which `patch` recognizes."""
    for name, classes in ((LLAMA, (LlamaRMSNorm, LlamaMLP)), (GEMMA, (GemmaRMSNorm,))):
        module = ModuleType(name)
        vars(module).update({each.__name__: each for each in classes})
        monkeypatch.setitem(sys.modules, name, module)


def numbers(*shape):
    return lambda dtype: torch.randn(*shape, dtype=torch.float64).to(dtype)


def labels(*shape, below):
    return lambda _: torch.randint(below, shape)


# Each kind of layer: how to make it, its arguments, and the op that replaces it.
LAYERS = {
    "RMSNorm": (lambda: nn.RMSNorm(33), [numbers(3, 5, 33)], "rms_layer_norm"),
    "RMSNorm, 2 dims": (lambda: nn.RMSNorm((5, 7), eps=1e-3), [numbers(3, 5, 7)], "rms_layer_norm"),
    "RMSNorm, no weight": (
        lambda: nn.RMSNorm(33, elementwise_affine=False),
        [numbers(2, 33)],
        "rms_layer_norm",
    ),
    "LlamaRMSNorm": (lambda: LlamaRMSNorm(33), [numbers(3, 5, 33)], "rms_layer_norm"),
    "GemmaRMSNorm": (lambda: GemmaRMSNorm(33), [numbers(3, 5, 33)], "rms_layer_norm"),
    "LayerNorm": (lambda: nn.LayerNorm(33), [numbers(3, 5, 33)], "layer_norm"),
    "LayerNorm, no bias": (
        lambda: nn.LayerNorm((5, 7), bias=False),
        [numbers(0, 3, 5, 7)],
        "layer_norm",
    ),
    "Embedding": (lambda: nn.Embedding(7, 33, padding_idx=2), [labels(9, 5, below=7)], "embedding"),
    "ReLU": (nn.ReLU, [numbers(5, 33)], "relu"),
    "Conv2d": (
        lambda: nn.Conv2d(4, 6, (3, 2), stride=(2, 1), padding=1, dilation=(1, 2), groups=2),
        [numbers(2, 4, 11, 9)],
        "conv2d",
    ),
    "CrossEntropyLoss": (
        lambda: nn.CrossEntropyLoss(ignore_index=3, label_smoothing=0.1),
        [numbers(17, 33), labels(17, below=33)],
        "cross_entropy",
    ),
    "CrossEntropyLoss, weights": (
        lambda: nn.CrossEntropyLoss(torch.rand(5), reduction="sum"),
        [numbers(3, 5, 2, 4), labels(3, 2, 4, below=5)],
        "weighted_cross_entropy",
    ),
    "LlamaMLP": (lambda: LlamaMLP(16, 33), [numbers(3, 5, 16)], "swiglu"),
}


def results(layer, inputs):
    """Return the output and every gradient, always for the same cotangent."""
    inputs = [x.detach().requires_grad_(x.is_floating_point()) for x in inputs]
    y = layer(*inputs)
    torch.manual_seed(1)
    y.backward(torch.randn(y.shape, dtype=torch.float64).to(y.dtype))
    grads = [x.grad for x in inputs if x.requires_grad]
    return [y.detach(), *grads, *(p.grad for p in layer.parameters())]


def initial(name, dtype):
    make, inputs, op = LAYERS[name]
    layer = make()
    with torch.no_grad():
        for parameter in layer.parameters():
            parameter.normal_()
    return layer.to(dtype), [each(dtype) for each in inputs], op


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16], ids=str)
@pytest.mark.parametrize("name", LAYERS)
def test_values_and_gradients_are_those_of_the_layer(name, dtype):
    layer, inputs, op = initial(name, dtype)
    exact = copy.deepcopy(layer).double()
    wide = [x.double() if x.is_floating_point() else x for x in inputs]
    native = results(copy.deepcopy(layer), inputs)
    assert patch(layer, ops=[op]).layers[0].op == op and f"op={op}" in str(layer)
    for ours, theirs, true in zip(
        results(layer, inputs), native, results(exact, wide), strict=True
    ):
        assert (ours.dtype, ours.shape) == (theirs.dtype, theirs.shape)
        scale = 64 if name == "LlamaMLP" else 16
        bound = scale * torch.finfo(dtype).eps * true.abs().amax().item() if true.numel() else 0
        torch.testing.assert_close(ours.double(), true, rtol=0, atol=bound)


class Model(nn.Module):
    """A model with one layer of each kind; its block is used twice."""

    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(7, 16)
        self.blocks = nn.ModuleList(
            nn.Sequential(LlamaRMSNorm(16), LlamaMLP(16, 24), nn.LayerNorm(16), nn.ReLU())
            for _ in range(2)
        )
        self.conv = nn.Conv2d(1, 1, 3, padding=1)
        self.norm = self.same = nn.RMSNorm(16)
        self.head = nn.Linear(16, 7)
        self.loss = nn.CrossEntropyLoss()
        self.embed.register_buffer("count", torch.zeros(()))

    def forward(self, indices):
        x = self.embed(indices)
        for block in self.blocks:
            x = x + block(x)
        x = self.conv(x[:, None])[:, 0]
        logits = self.head(self.same(self.norm(x)))
        return self.loss(logits.flatten(0, 1), indices.flatten())


COUNTED = []


def count(*_):
    COUNTED.append(1)


def test_a_patched_model_is_the_same_model_and_is_undone():
    model, indices = Model().eval(), torch.randint(7, (3, 5))
    model.norm.register_forward_hook(count)
    COUNTED.clear()
    kinds, state = [id(type(m)) for m in model.modules()], model.state_dict(keep_vars=True)
    before = model(indices)
    with patch(model) as done:
        assert [id(type(m)) for m in model.modules()] != kinds
        for each in (model, copy.deepcopy(model), stored(model)):
            assert each.same is each.norm and isinstance(each.norm, nn.RMSNorm)
            assert "op=rms_layer_norm" in str(each) and not each.training
            torch.testing.assert_close(each(indices), before)
        after = model.state_dict(keep_vars=True)
        assert list(after) == list(state) and all(after[key] is state[key] for key in state)
        again = patch(model)
        assert {r.reason for r in again.layers} == {"patched already", "no op computes it"}
        again.undo()
        assert [id(type(m)) for m in model.modules()] != kinds
    assert [id(type(m)) for m in model.modules()] == kinds and torch.equal(model(indices), before)
    done.undo()
    assert len(COUNTED) == 2 * 5
    table = [line.split(maxsplit=4) for line in str(done).splitlines()]
    assert ["blocks.0.0", "and", "1", "more", "LlamaRMSNorm      rms_layer_norm"] in table
    assert ["blocks.0.1.act_fn", "and", "1", "more", "SiLU              swiglu"] in table
    assert ["norm", "RMSNorm", "rms_layer_norm"] in table


def stored(model):
    file = io.BytesIO()
    torch.save(model, file)
    file.seek(0)
    return torch.load(file, weights_only=False)


def test_a_patched_model_compiles_and_so_does_it_undone():
    model, indices = Model(), torch.randint(7, (3, 5))
    before, names = model(indices), []

    def backend(graph, _):
        names.append({str(node.target) for node in graph.graph.nodes})
        return graph

    compiled = torch.compile(model, fullgraph=True, backend=backend)
    torch.testing.assert_close(compiled(indices), before)
    with patch(model):
        loss = compiled(indices)
        torch.testing.assert_close(loss, before)
        loss.backward()
    torch.testing.assert_close(compiled(indices), before)
    assert len(names) == 2  # after undoing, the model runs the code compiled first
    ours = [{name for name in found if "generated" in name} for found in names[:2]]
    assert not ours[0] and len(ours[1]) == 7


def test_only_these_ops():
    model = nn.Sequential(nn.LayerNorm(4), nn.ReLU())
    assert [r.op for r in patch(model, ops=["relu"]).layers] == [None, "relu"]
    for ops in ([], ["relu"]):
        reasons = [r.reason for r in patch(nn.Sequential(nn.LayerNorm(4)), ops=ops).layers]
        assert reasons == ["layer_norm is left out by `ops`"]


@pytest.mark.parametrize(("channels", "dtype"), [(3, "bfloat16"), (1, "float32")])
def test_a_slower_op_must_be_named(channels, dtype):
    layer = nn.Conv2d(3, 3, 3, groups=3)
    assert patch(layer).layers[0].op == "conv2d"
    layer = nn.Conv2d(channels, 3, 3, dtype=getattr(torch, dtype))
    assert patch(layer).layers[0].op == "conv2d"
    layer = nn.Conv2d(3, 3, 3)
    layer.weight = None  # a parametrization computes it
    assert patch(layer).layers[0].op == "conv2d"
    layer = nn.Conv2d(3, 3, 3)
    (left,) = patch(layer).layers
    assert left.op is None and type(layer) is nn.Conv2d
    assert left.reason == (
        "conv2d is slower on CPUs in f32 with several channels: name it in `ops` to use it"
    )
    assert patch(layer, ops=["conv2d"]).layers[0].op == "conv2d"


@pytest.mark.parametrize(
    ("error", "message", "model", "ops"),
    [
        (ValueError, "'gelu' is not one of conv2d, cross_entropy", nn.ReLU(), ["gelu"]),
        (TypeError, r"ops: .* got 'relu': give a list, \['relu'\]", nn.ReLU(), "relu"),
        (TypeError, "model: expected an nn.Module, got list", [nn.ReLU()], None),
    ],
)
def test_wrong_arguments(error, message, model, ops):
    with pytest.raises(error, match=message):
        patch(model, ops=ops)


@pytest.mark.parametrize(
    ("error", "message", "attributes"),
    [
        (TypeError, "expected a subclass of Patch, got <class", None),
        (ValueError, r"^Made: of: expected full names .* got \(\)$", {"op": "relu"}),
        (ValueError, r"got \('ReLU',\)", {"op": "relu", "of": ("ReLU",)}),
        (ValueError, "^Made: op: there is no op 'rely'$", {"op": "rely", "of": ("torch.nn.ReLU",)}),
    ],
)
def test_wrong_patches(error, message, attributes):
    made = nn.ReLU if attributes is None else type("Made", (Patch,), attributes)
    with pytest.raises(error, match=message):
        register_patch(made)
    assert patch(nn.ReLU()).layers[0].op == "relu"


class Doubled(nn.LayerNorm):
    def forward(self, input):
        return 2 * super().forward(input)


def replaced(layer):
    layer.forward = lambda x: 2 * x
    return layer


def hooked(layer):
    layer.act_fn.register_forward_hook(lambda *_: None)
    return layer


def with_(layer, **options):
    vars(layer).update(options)
    return layer


class SiLU(nn.Module):
    """Another function under the same name."""

    def forward(self, x):
        return 2 * x


def without(layer, name):
    delattr(layer, name)
    return layer


REFUSED = {
    "needs `self.max_norm is None`": lambda: nn.Embedding(3, 4, max_norm=1.0),
    "needs `not self.sparse`": lambda: nn.Embedding(3, 4, sparse=True),
    "needs `not self.scale_grad_by_freq`": lambda: nn.Embedding(3, 4, scale_grad_by_freq=True),
    "needs `not self.inplace`": lambda: nn.ReLU(inplace=True),
    'needs `self.padding_mode == "zeros"`': lambda: nn.Conv2d(1, 1, 3, padding_mode="circular"),
    "needs `not isinstance(self.padding, str)`": lambda: nn.Conv2d(1, 1, 3, padding="same"),
    "a subclass of LayerNorm may compute something else": lambda: Doubled(4),
    "has a `forward` of its own": lambda: replaced(nn.LayerNorm(4)),
    "does not take torch.complex64": lambda: nn.Embedding(3, 4, dtype=torch.complex64),
    "reads `self.variance_epsilon`, which is": lambda: without(LlamaRMSNorm(4), "variance_epsilon"),
    'needs `type(self.act_fn).__name__ in ("SiLU", "S': lambda: LlamaMLP(4, 4, act=nn.GELU),
    "needs `self.act_fn.__module__ in (torch": lambda: LlamaMLP(4, 4, act=SiLU),
    "needs `isinstance(self.stride, (list, tuple)) and": lambda: nn.Conv2d(1, 1, 3, stride=(2,)),
    "and len(self.padding) == 2`": lambda: nn.Conv2d(1, 1, 3, padding=(1,)),
    "needs `isinstance(self.dilation": lambda: with_(nn.Conv2d(1, 1, 3), dilation=1),
    "needs `min(self.padding) >= 0`": lambda: nn.Conv2d(1, 1, 3, padding=(0, -1)),
    "layer_norm needs `self.eps >= 0.0`": lambda: nn.LayerNorm(4, eps=-1e-5),
    "needs `self.eps is None or self.eps >= 0.0`": lambda: nn.RMSNorm(4, eps=float("nan")),
    "cross_entropy needs `self.label_smoothing <= 1": (
        lambda: nn.CrossEntropyLoss(label_smoothing=1.5)
    ),
    "weighted_cross_entropy needs `self.label_smoothing >= 0": (
        lambda: nn.CrossEntropyLoss(torch.ones(3), label_smoothing=-0.5)
    ),
    'needs `self.reduction in ("none", "mean"': lambda: nn.CrossEntropyLoss(reduction="max"),
    "would not run `act_fn`, which has hooks": lambda: hooked(LlamaMLP(4, 4)),
    "no op computes it": lambda: nn.Tanh(),
}


@pytest.mark.parametrize("reason", REFUSED)
def test_a_layer_that_means_something_else_stays_as_it_is(reason):
    layer = REFUSED[reason]()
    kind = type(layer)
    report = patch(layer)
    row = next(r for r in report.layers if not r.name)
    assert row.op is None and reason in row.reason and type(layer) is kind
    assert reason in str(report)


def doubled(forward):
    return lambda *args: 2 * forward(*args)


def wrapped(forward):
    return functools.wraps(forward)(doubled(forward))


@pytest.mark.parametrize("change", [doubled, wrapped])
def test_a_class_whose_forward_was_replaced_keeps_it(monkeypatch, change):
    monkeypatch.setattr(nn.LayerNorm, "forward", change(nn.LayerNorm.forward))
    monkeypatch.setattr(nn.SiLU, "forward", change(nn.SiLU.forward))
    reasons = {r.kind: r.reason for r in patch(nn.Sequential(nn.LayerNorm(4))).layers}
    reasons |= {r.kind: r.reason for r in patch(LlamaMLP(4, 4)).layers}
    what = "the class's `forward` was replaced"
    assert reasons["LayerNorm"] == f"layer_norm may compute something else: {what}"
    assert reasons["LlamaMLP"] == f"swiglu would not run `act_fn`, whose class's {what[12:]}"


def test_a_new_layer_of_a_patched_class_is_not_patched():
    layer = nn.Conv2d(1, 2, 3)
    patch(layer)
    new = type(layer)(1, 2, 3, padding=1, padding_mode="circular")
    assert type(new) is nn.Conv2d and new(torch.randn(1, 1, 5, 5)).shape == (1, 2, 5, 5)
    assert patch(new).layers[0].op is None


class OfPatched:
    """The qualified name of a class that was made from a patched layer's class."""


def test_a_subclass_of_a_patched_class_is_copied_and_pickled_as_one():
    layer = nn.LayerNorm(4)
    patch(layer)
    name = {"__qualname__": "OfPatched.Layer", "__module__": __name__}
    OfPatched.Layer = type("Layer", (type(layer),), name)
    layer.__class__ = OfPatched.Layer
    x = torch.randn(3, 4)
    for each in (copy.deepcopy(layer), stored(layer), OfPatched.Layer(4)):
        assert type(each) is OfPatched.Layer and torch.equal(each(x), layer(x))


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16], ids=str)
@pytest.mark.parametrize("name", LAYERS)
def test_on_meta(name, dtype):
    layer, inputs, op = initial(name, dtype)
    layer, inputs = layer.to("meta"), [x.to("meta") for x in inputs]
    native = layer(*inputs)
    assert patch(layer, ops=[op]).layers[0].op == op
    ours = layer(*inputs)
    assert (ours.device, ours.dtype, ours.shape) == (native.device, native.dtype, native.shape)


def test_a_device_without_a_kernel(monkeypatch):
    layers = [nn.LayerNorm(4), nn.LayerNorm(4, device="meta")]
    monkeypatch.setattr(torch._ops.OpOverload, "has_kernel_for_dispatch_key", lambda *_: False)
    reasons = [patch(layer).layers[0].reason for layer in layers]
    assert reasons == ["layer_norm has no kernel for cpu, where `self.weight` is", ""]


def autocast(layer, *inputs):
    with torch.autocast("cpu", torch.bfloat16):
        return layer(*inputs)


def plain(layer, *inputs):
    return layer(*inputs)


# Calls that an op does not accept, or for which it returns another dtype.
CALLS = {
    "probabilities": (plain, nn.CrossEntropyLoss, numbers(3, 5), lambda d: numbers(3, 5)(d)),
    "classes second": (plain, nn.CrossEntropyLoss, numbers(3, 5, 2), labels(3, 2, below=5)),
    "no batch": (plain, lambda: nn.Conv2d(1, 2, 3), numbers(1, 5, 5)),
    "integers": (plain, nn.ReLU, lambda _: torch.arange(-3, 3)),
    "a wider input": (plain, lambda: nn.RMSNorm(4, dtype=torch.bfloat16), numbers(3, 4)),
    "autocast to f32": (
        autocast,
        nn.CrossEntropyLoss,
        (lambda _: torch.randn(3, 5).bfloat16()),
        labels(3, below=5),
    ),
    "autocast to bf16": (autocast, lambda: nn.Conv2d(1, 2, 3), numbers(1, 1, 5, 5)),
    "nested": (
        plain,
        lambda: nn.LayerNorm(4),
        lambda _: torch.nested.nested_tensor([torch.randn(2, 4), torch.randn(3, 4)]),
    ),
}


@pytest.mark.filterwarnings("ignore:Mismatch dtype", "ignore:The PyTorch API of nested")
@pytest.mark.parametrize("name", CALLS)
def test_a_call_that_the_op_does_not_take_runs_the_layers_own_forward(name):
    run, make, *inputs = CALLS[name]
    layer, inputs = make(), [each(torch.float32) for each in inputs]
    native = run(layer, *inputs)
    with patch(layer) as done:
        assert done.changed
        ours = run(layer, *inputs)
    assert ours.dtype == native.dtype
    pairs = zip(ours.unbind(), native.unbind()) if ours.is_nested else [(ours, native)]
    assert all(torch.equal(a, b) for a, b in pairs)


def test_what_became_something_else_since_cannot_be_undone():
    model = nn.Sequential(nn.LayerNorm(4), nn.ReLU())
    done = patch(model)
    model[0].__class__ = type("FSDPLayerNorm", (type(model[0]),), {})
    with pytest.raises(RuntimeError, match="`0` is a FSDPLayerNorm since it was patched"):
        done.undo()
    assert type(model[1]) is not nn.ReLU


def test_what_has_a_forward_of_its_own_since_cannot_be_undone():
    model = nn.Sequential(nn.LayerNorm(4), nn.ReLU())
    done = patch(model)
    model[0].forward = doubled(model[0].forward)
    with pytest.raises(RuntimeError, match="`0` has a `forward` of its own since it was patched"):
        done.undo()
    assert type(model[1]) is not nn.ReLU
    del model[0].forward
    done.undo()
    assert type(model[1]) is nn.ReLU


def test_a_loss_without_labels_is_nan_as_it_was():
    loss, x = nn.CrossEntropyLoss(), torch.randn(3, 5)
    with patch(loss):
        assert loss(x, torch.full((3,), -100)).isnan()


def test_tools_that_have_tables_of_classes_know_a_patched_layer() -> None:
    model = nn.Sequential(nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4), nn.ReLU()).eval()
    x = torch.randn(2, 3, 8, 8)
    wanted = model(x)
    patch(model, ops=["conv2d", "relu"])
    assert type(model[0]) in {nn.Conv2d} and type(model[2]) not in {nn.Conv2d}
    fused = torch.ao.quantization.fuse_modules(model, [["0", "1", "2"]])
    torch.testing.assert_close(fused(x), wanted, rtol=1e-4, atol=1e-5)
