"""Modules over ops compared with PyTorch's own: same state, same values."""

from __future__ import annotations

import copy
import pickle

import pytest
import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

from generated.torch import Embedding, LayerNorm, RMSNorm, patch

PAIRS = {
    "rms_norm": (lambda n, **k: RMSNorm(n, **k), lambda n, **k: nn.RMSNorm(n, **k)),
    "layer_norm": (lambda n, **k: LayerNorm(n, **k), lambda n, **k: nn.LayerNorm(n, **k)),
}


@pytest.mark.parametrize("name", PAIRS)
@pytest.mark.parametrize("sizes", [4, [3, 4]], ids=str)
def test_state_goes_over_to_pytorchs_own_module_and_back(name, sizes):
    ours, native = (make(sizes, eps=1e-3) for make in PAIRS[name])
    assert ours.state_dict().keys() == native.state_dict().keys()
    for key, value in native.state_dict().items():
        assert torch.equal(ours.state_dict()[key], value)
    with torch.no_grad():
        for parameter in native.parameters():
            parameter.normal_()
    ours.load_state_dict(native.state_dict())
    for a, b in zip(ours.parameters(), native.parameters(), strict=True):
        assert torch.equal(a, b)
    ours.reset_parameters()
    assert torch.equal(ours.weight, torch.ones_like(native.weight))


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_a_module_calls_its_op(dtype):
    ours, native = (make(5, eps=1e-3, dtype=dtype) for make in PAIRS["rms_norm"])
    ours.load_state_dict({"weight": torch.randn(5, dtype=dtype)})
    native.load_state_dict(ours.state_dict())
    x = torch.randn(3, 5, dtype=dtype)
    for module in (ours, copy.deepcopy(ours), pickle.loads(pickle.dumps(ours))):
        y = module(x)
        assert y.dtype == dtype
        torch.testing.assert_close(y, native(x))
        y.sum().backward()
        assert module.weight.grad is not None and module.weight.grad.dtype == dtype


def test_where_and_of_what_the_parameters_are():
    module = LayerNorm(4, device="meta", dtype=torch.float64)
    kinds = {(p.device.type, p.dtype) for p in module.parameters()}
    assert kinds == {("meta", torch.float64)}


def test_a_parameter_that_is_left_out():
    module = LayerNorm([3, 4], bias=False)
    assert list(module.state_dict()) == ["weight"] and module.bias is None
    assert repr(module) == "LayerNorm((3, 4), eps=1e-05, weight=True, bias=False)"
    module.reset_parameters()
    assert not list(LayerNorm(4, weight=False, bias=False).parameters())


def test_a_module_compiles_and_exports():
    module, x = RMSNorm(4), torch.randn(3, 4)
    compiled = torch.compile(module, fullgraph=True, backend="aot_eager")
    assert torch.equal(compiled(x), module(x))
    program = torch.export.export(module, (x,))
    assert torch.equal(program.module()(x), module(x))


@pytest.mark.parametrize("padding_idx", [None, 2, -1])
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_an_embedding_is_that_of_pytorch(dtype, padding_idx):
    """An embedding has the random state, values and gradients of PyTorch's.

    The indices may have any shape, including an empty one.
    """
    modules = []
    for cls in (Embedding, nn.Embedding):
        torch.manual_seed(3)
        modules.append(cls(7, 33, padding_idx=padding_idx, dtype=dtype))
    ours, native = modules
    assert ours.state_dict().keys() == native.state_dict().keys()
    assert torch.equal(ours.weight, native.weight)
    assert padding_idx is None or not ours.weight[padding_idx].any()
    assert (ours.num_embeddings, ours.embedding_dim) == (7, 33)
    for shape in ((4, 9), (), (0,)):
        indices = torch.randint(7, shape)
        for module in modules:
            module.zero_grad()
            y = module(indices)
            (y.float() * torch.arange(y.numel()).view(y.shape)).sum().backward()
        torch.testing.assert_close(ours(indices), native(indices), rtol=0, atol=0)
        torch.testing.assert_close(ours.weight.grad, native.weight.grad)
    assert repr(ours) == f"Embedding(7, 33, padding_idx={padding_idx})"


def test_an_embedding_under_checkpoint_on_meta_and_under_patch():
    module, indices = Embedding(7, 4), torch.randint(7, (3,))
    checkpoint(module, indices, use_reentrant=False).sum().backward()
    assert torch.equal(module.weight.grad.sum(1), 4.0 * torch.bincount(indices, minlength=7))
    assert not patch(nn.Sequential(module)).changed
    empty = Embedding(7, 4, padding_idx=1, device="meta").to_empty(device="cpu")
    empty.reset_parameters()
    assert not empty.weight[1].any() and empty.weight.any(1).sum() == 6
