"""Inputs with `device = "cpu"` stay on the CPU if other inputs are on a GPU.

The tests need no GPU.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
import pytest

X = np.arange(1.0, 6.0, dtype=np.float32)
PLACES = np.array([4, 0, 0])


def test_the_kernel_reads_them(boundary: ModuleType) -> None:
    torch, jax = pytest.importorskip("torch"), pytest.importorskip("jax")
    from boundary.jax import picked as in_jax
    from boundary.torch import picked

    places = torch.from_numpy(PLACES)
    for call in (picked, torch.compile(picked, fullgraph=True, backend="aot_eager")):
        x = torch.tensor(X, requires_grad=True)
        y, _ = call(x, places, torch.tensor(2), torch.tensor(5))
        y.sum().backward()
        assert y.tolist() == [10, 2, 2] and x.grad.tolist() == [4, 0, 0, 0, 2]
    assert torch.vmap(lambda x: picked(x, places, 2, 5)[0])(torch.ones(2, 5)).sum() == 12

    def total(x: Any) -> Any:
        return in_jax(x, PLACES, 2, 5)[0].sum()

    assert jax.jit(jax.grad(total))(X).tolist() == [4, 0, 0, 0, 2]


def test_the_others_say_the_device(boundary: ModuleType) -> None:
    torch = pytest.importorskip("torch")
    from boundary.torch import picked
    from torch._subclasses.fake_tensor import FakeTensorMode

    with FakeTensorMode():
        host = torch.empty(3, dtype=torch.int64)
        for device in ("cuda", "meta"):
            x = torch.empty(5, device=device)
            for times in (2, torch.tensor(2)):
                y, used = torch.ops.boundary.picked(x, host, torch.tensor(2), torch.tensor(5))
                assert y.device == used.device == x.device
                y, _ = picked(x, host, times)  # PyTorch also draws the seed
                assert y.device == x.device
        x = torch.empty(5, device="cuda")
        with pytest.raises(ValueError, match="picked: places: expected a tensor on cpu, .* cuda:0"):
            picked(x, torch.empty(3, dtype=torch.int64, device="cuda"), 2)
        dx = torch.ops.boundary.picked_bwd(torch.empty(3, device="cuda"), host, torch.tensor(2), 5)
        assert dx.device.type == "cuda"


def test_elsewhere_jax_refuses(boundary: ModuleType) -> None:
    jax = pytest.importorskip("jax")
    from boundary.jax import picked
    from boundary.jax._picked import _KERNEL

    inputs = [jax.ShapeDtypeStruct((5,), np.float32), jax.ShapeDtypeStruct((3,), np.int32)]
    inputs += [jax.ShapeDtypeStruct((), np.int32)] * 2
    wanted = ["`places` on the host", "`times` on the host", "`seed` on the host"]
    assert _KERNEL.unmet("cuda", inputs, {}) == wanted and _KERNEL.unmet("cpu", inputs, {}) == []
    # If a CUDA kernel is built, `placement` reports why it does not accept the call.
    from boundary._opgen.jax.placement import place

    def call(x: Any) -> Any:
        return place("picked", {"cpu": _itself}, _itself, None, [x], {"cuda": wanted[0]})

    with pytest.raises(ValueError, match="its kernel for cuda requires `places` on the host"):
        jax.jit(call).trace(X).lower(lowering_platforms=("cuda",))
    with pytest.raises(NotImplementedError, match="no kernel for platform cuda"):
        jax.jit(picked).trace(X, PLACES, 2, 5).lower(lowering_platforms=("cuda",))


def _itself(x: Any) -> Any:
    return (x,)
