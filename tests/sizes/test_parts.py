"""Sizes that depend on the device: a Python function takes `arch` and `sms`."""

from __future__ import annotations

import os
import sys
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

X = np.arange(300.0, dtype=np.float32).reshape(100, 3)
HOST = 2 * len(os.sched_getaffinity(0))  # like `parted.py` computes it


def sums(parts: int) -> np.ndarray:
    cuts = [100 * part // parts for part in range(parts + 1)]
    return np.stack([X[a:b].sum(0) for a, b in zip(cuts, cuts[1:])])


def test_in_torch(torch_ops: ModuleType) -> None:
    import torch

    x = torch.from_numpy(X)
    for call in (torch_ops.shown_parts, torch.compile(torch_ops.shown_parts, fullgraph=True)):
        torch.testing.assert_close(call(x), torch.from_numpy(sums(HOST)))
    for call in (torch_ops.parted, torch.compile(torch_ops.parted, fullgraph=True)):
        x = torch.tensor(X, requires_grad=True)
        y = call(x)
        y.sum().backward()
        torch.testing.assert_close(y.detach(), torch.from_numpy(X.sum(0) ** 2))
        torch.testing.assert_close(x.grad, torch.from_numpy(2 * X.sum(0)).expand(100, 3))
    # The passed value is used: it may differ from this device's.
    assert torch.ops.padded.parted(x, 7)[1].shape == (7, 3)
    assert torch_ops.shown_parts(torch.empty(100, 3, device="meta")).shape == (HOST, 3)
    with pytest.raises(TypeError, match="parted: x: expected a tensor"):
        torch_ops.parted("text")


def test_of_a_gpu_in_torch(torch_ops: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    """`sms` is the number of multiprocessors in the inputs' device.

    The tensors and the GPU are fake.
    """
    import torch
    from torch._subclasses.fake_tensor import FakeTensorMode

    asked = []

    def properties(index: int | None) -> Any:
        asked.append(index)
        return SimpleNamespace(major=9, minor=0, multi_processor_count=5)

    monkeypatch.setattr(torch.cuda, "get_device_properties", properties)
    with FakeTensorMode():
        assert torch_ops.shown_parts(torch.empty(100, 3, device="cuda:1")).shape == (20, 3)
    assert asked == [1]


def test_of_a_gpu_of_amds_in_torch(torch_ops: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    """With PyTorch for ROCm, `arch` comes from the GPU's own name.

    This PyTorch also reports the device as "cuda".
    """
    import torch

    call = sys.modules[f"{torch_ops.__name__.removesuffix('.torch')}._opgen.torch.call"]
    gpu = SimpleNamespace(
        gcnArchName="gfx90a:sramecc+", major=9, minor=0, multi_processor_count=104
    )
    monkeypatch.setattr(torch.cuda, "get_device_properties", lambda index: gpu)
    for version, platform, arch in ((None, "cuda", 90), ("7.0", "hip", 910)):
        monkeypatch.setattr(torch.version, "hip", version)
        assert call.device_facts("cuda", 0) == (("arch", arch), ("sms", 104))
        assert (call.platform_of("cuda"), call.platform_of("cpu")) == (platform, "cpu")


def test_in_jax(jax_ops: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    import jax

    for wrap in (lambda f: f, jax.jit):
        assert np.allclose(wrap(jax_ops.shown_parts)(X), sums(HOST))
        found, pull = jax.vjp(wrap(jax_ops.parted), X)
        assert np.allclose(found, X.sum(0) ** 2)
        (dx,) = pull(np.ones(3, np.float32))
        assert np.allclose(dx, np.broadcast_to(2 * X.sum(0), (100, 3)))
    assert jax.vmap(jax_ops.shown_parts)(X[None]).shape == (1, HOST, 3)
    from padded._opgen.jax import platforms

    monkeypatch.setattr(platforms, "device_facts", lambda platform: {"arch": 90, "sms": 5})
    monkeypatch.setattr(jax, "default_backend", lambda: "cuda")
    assert jax.eval_shape(jax_ops.shown_parts, X[:90]).shape == (20, 3)
    with jax.default_device(jax.local_devices(backend="cpu")[0]):
        assert jax.eval_shape(jax_ops.shown_parts, X[:80]).shape == (HOST, 3)
    monkeypatch.setattr(platforms, "device_facts", lambda platform: {})
    with pytest.raises(ValueError, match="shown_parts: parts: .* the device's arch, which is not"):
        jax.eval_shape(jax_ops.shown_parts, X[:70])


def test_split_over_devices(jax_ops: ModuleType) -> None:
    """If an input is split, each device makes as many parts as the traced whole."""
    import jax
    from jax.sharding import NamedSharding, PartitionSpec

    mesh = jax.make_mesh((jax.device_count(),), ("n",))
    x = np.tile(X, (1, jax.device_count()))
    split = jax.device_put(x, NamedSharding(mesh, PartitionSpec(None, "n")))
    assert np.allclose(jax.jit(jax_ops.shown_parts)(split), np.tile(sums(HOST), jax.device_count()))


def test_core_is_told(package: ModuleType) -> None:
    from padded import core

    x = core.TensorSpec((100, 3), "f32")
    assert core.parted.infer(x, parts=7).sums.shape == (7, 3)
    assert core.parted.complete(x, arch=0, sms=3)["parts"] == 6
    with pytest.raises(ValueError, match="parted: parts: expected it to be given"):
        core.parted.infer(x)
