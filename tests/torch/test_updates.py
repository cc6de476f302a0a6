"""Updated inputs: the same tensors are returned, their versions change, and autograd tracks them."""

from __future__ import annotations

import warnings

import pytest
import torch

import generated.torch as ops
from generated._opgen import torch as _runtime


@pytest.fixture(scope="module", autouse=True)
def references():
    """Register references for ops that have no kernel yet."""
    for name, (module, function) in {
        "fused_add_rms_norm": ("fused_add_rms_norm", "fused_add_rms_norm"),
        "paged_cache_write": ("paged_cache_write", "paged_cache_write"),
    }.items():
        if not torch._C._dispatch_has_kernel_for_dispatch_key(f"generated::{name}", "CPU"):
            _runtime.fall_back(name, _runtime.reference(module, function))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def adamw():
    lists = [[torch.rand(4, 3), torch.rand(7)] for _ in range(4)]
    params, _, exp_avgs, exp_avg_sqs = lists
    step = torch.tensor(3.0)
    results = lambda: ops.adamw_(*lists, step, 1e-2)  # noqa: E731
    return results, [*params, *exp_avgs, *exp_avg_sqs, step]


def fused():
    x, residual, weight = torch.rand(3, 8), torch.rand(3, 8), torch.rand(8)
    return lambda: ops.fused_add_rms_norm(x, residual, weight), [residual]


def rotary():
    q, k = torch.rand(5, 4, 8), torch.rand(5, 2, 8)
    positions, cos_sin = torch.arange(5), torch.rand(16, 8)
    return lambda: ops.rotary_(q, positions, cos_sin, k), [q, k]


def cache():
    k, v = torch.rand(2, 3, 4), torch.rand(2, 3, 4)
    caches = [torch.zeros(2, 4, 3, 4), torch.zeros(2, 4, 3, 4)]
    slots = torch.tensor([5, -1], dtype=torch.int32)
    return lambda: ops.paged_cache_write(k, v, *caches, slots), caches


CALLS = {
    "adamw_": adamw,
    "fused_add_rms_norm": fused,
    "rotary_": rotary,
    "paged_cache_write": cache,
}


def flat(results):
    for each in results if isinstance(results, (list, tuple)) else [results]:
        if isinstance(each, (list, tuple)):
            yield from flat(each)
        elif each is not None:
            yield each


@pytest.mark.parametrize("name", CALLS)
def test_the_tensors_come_back_written_with_their_versions_moved(name):
    call, updated = CALLS[name]()
    before = [(tensor.clone(), tensor._version) for tensor in updated]
    results = list(flat(call()))
    assert all(any(each is tensor for each in results) for tensor in updated)
    for tensor, (value, version) in zip(updated, before):
        assert tensor._version == version + 1
        assert not torch.equal(tensor, value)


@pytest.mark.parametrize("name", CALLS)
def test_a_saved_tensor_that_is_updated_is_an_error_in_the_backward(name):
    call, updated = CALLS[name]()
    factor = torch.ones_like(updated[0], requires_grad=True)
    y = (factor * updated[0]).sum()  # saves what is updated next
    call()
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        y.backward()


@pytest.mark.parametrize("name", CALLS)
def test_an_updated_tensor_that_requires_a_gradient_is_refused(name):
    call, updated = CALLS[name]()
    updated[0].requires_grad_()
    with pytest.raises(RuntimeError, match=f"{name}: .* requires a gradient"):
        call()
    with torch.no_grad():
        call()


def test_a_cache_keeps_what_no_slot_names():
    call, caches = cache()
    call()
    assert caches[0].view(8, 3, 4).abs().sum((1, 2)).nonzero().tolist() == [[5]]


def test_numbers_for_scalar_inputs():
    lists = lambda: [[torch.ones(3)] for _ in range(4)]  # noqa: E731
    by_number, by_tensor = lists(), lists()
    ops.adamw_(*by_number, torch.tensor(0.0), 1e-2)
    ops.adamw_(*by_tensor, torch.tensor(0.0), torch.tensor(1e-2))
    assert torch.equal(by_number[0][0], by_tensor[0][0])
    x = torch.rand(3)
    with pytest.raises(TypeError, match="dropout: seed: expected an integer, a torch.Generator"):
        ops.dropout(x, 0.5, 3)
