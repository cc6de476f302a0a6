"""PyTorch draws a seed that the caller omits. JAX derives a seed from a key."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

X = np.arange(1.0, 7.0, dtype=np.float32).reshape(2, 3)


def factor(seed: Any) -> int:
    return 1 + int(seed) % 1000


@pytest.fixture
def seeded(boundary: ModuleType) -> Any:
    pytest.importorskip("torch")
    from boundary.torch import seeded

    return seeded


def test_a_seed_left_out_is_the_generators(seeded: Any) -> None:
    import torch

    x = torch.from_numpy(X)
    torch.manual_seed(3)
    found = [seeded(x) for _ in range(3)]
    seeds = [int(used) for _, used in found]
    assert len({*seeds}) == 3 and min(seeds) >= 0
    for (y, _), seed in zip(found, seeds):
        assert torch.equal(y, x * factor(seed))
    torch.manual_seed(3)
    assert [int(seeded(x)[1]) for _ in range(3)] == seeds
    generator = torch.Generator().manual_seed(3)
    state = torch.get_rng_state()
    assert [int(seeded(x, seed=generator)[1]) for _ in range(3)] == seeds
    assert torch.equal(torch.get_rng_state(), state)
    for given in (5, np.int64(5), torch.tensor(5)):
        assert int(seeded(x, seed=given)[1]) == 5
    assert torch.equal(torch.get_rng_state(), state)
    for wrong in (0.5, "5", True, 2**63):
        with pytest.raises(TypeError, match="seeded: seed: expected an integer, a torch.Generator"):
            seeded(x, seed=wrong)


def test_a_generator_of_another_device_is_refused(seeded: Any) -> None:
    import torch
    from torch._subclasses.fake_tensor import FakeTensorMode

    with FakeTensorMode():
        x = torch.empty(2, 3, device="cuda")
        with pytest.raises(ValueError, match="seeded: seed: expected .* of cuda, got one of cpu"):
            seeded(x, seed=torch.Generator())
        assert seeded(x.to("meta"), seed=torch.Generator())[0].is_meta


def test_the_backward_is_given_the_seed_that_was_drawn(seeded: Any) -> None:
    import torch
    from torch.utils.checkpoint import checkpoint

    def gradient(keep: bool) -> tuple[int, Any]:
        torch.manual_seed(11)
        x = torch.tensor(X, requires_grad=True)

        def block(x: Any) -> Any:
            y, used = seeded(x)
            return y * y, used  # `y * y` needs `y`, which `checkpoint` computes again

        y, used = block(x) if keep else checkpoint(block, x, use_reentrant=False)
        torch.rand(5)
        y.sum().backward()
        return int(used), x.grad

    seed, dx = gradient(keep=True)
    wanted = 2 * torch.from_numpy(X) * factor(seed) ** 2
    assert torch.equal(dx, wanted)
    again, dx = gradient(keep=False)
    assert again == seed and torch.equal(dx, wanted)


@pytest.mark.parametrize("backend", ["aot_eager", "inductor"])
def test_compiled_calls_draw_too(seeded: Any, backend: str) -> None:
    """Each of two equal calls draws a separate seed, and its backward gets the same seed."""
    import torch

    torch.compiler.reset()

    @torch.compile(fullgraph=True, backend=backend)
    def twice(x: Any) -> Any:
        one, two = seeded(x), seeded(x)
        return one[0] + 0 * two[0], one[1], two[0], two[1]

    torch.manual_seed(7)
    runs = []
    for _ in range(2):
        x = torch.tensor(X, requires_grad=True)
        y, seed, other_y, other = twice(x)
        assert seed != other and torch.equal(y, x * factor(seed))
        assert torch.equal(other_y, x * factor(other))
        y.sum().backward()
        assert torch.equal(x.grad, torch.full_like(x, factor(seed)))
        runs += [int(seed), int(other)]
    assert len({*runs}) == 4
    torch.manual_seed(7)
    _, seed, _, other = twice(torch.tensor(X, requires_grad=True))
    assert [int(seed), int(other)] == runs[:2]


def test_export_and_meta(seeded: Any) -> None:
    import torch

    class Module(torch.nn.Module):
        def forward(self, x: Any) -> Any:
            return seeded(x)

    program = torch.export.export(Module(), (torch.from_numpy(X),)).module()
    (y, one), (_, two) = program(torch.from_numpy(X)), program(torch.from_numpy(X))
    assert one != two and torch.equal(y, torch.from_numpy(X) * factor(one))
    y, used = seeded(torch.empty(2, 3, device="meta"))
    assert y.is_meta and used.is_meta


def test_vmap_asks_for_its_randomness(seeded: Any) -> None:
    import torch

    x = torch.from_numpy(X)
    y, used = torch.vmap(seeded, randomness="different")(x)
    assert len({*used.tolist()}) == 2
    assert torch.equal(y, x * torch.tensor([[factor(s)] for s in used]))
    _, used = torch.vmap(seeded, randomness="same")(x)
    assert len({*used.tolist()}) == 1
    with pytest.raises(RuntimeError, match="randomness"):
        torch.vmap(seeded)(x)


def test_a_key_is_a_seed_in_jax(boundary: ModuleType) -> None:
    jax = pytest.importorskip("jax")
    from boundary.jax import seeded

    def step(x: Any, key: Any) -> Any:
        y, used = seeded(x, seed=key)
        return y.sum(), (y, used)

    for wide in (False, True):
        with jax.enable_x64(wide):
            found = {}
            for name, key in (("new", jax.random.key(3)), ("old", jax.random.PRNGKey(3))):
                for wrap in (lambda f: f, jax.jit):
                    call = wrap(jax.value_and_grad(step, has_aux=True))
                    (_, (y, used)), dx = call(X, key)
                    assert (y == X * factor(used)).all() and (dx == factor(used)).all()
                    found[name, wrap] = int(used)
            assert len({*found.values()}) == 1 and min(found.values()) >= 0
            assert (found.popitem()[1] > 2**32) == wide  # more than 32 bits
            keys = jax.random.split(jax.random.key(5), 2)
            y, used = jax.vmap(lambda x, key: seeded(x, seed=key))(X, keys)
            assert used[0] != used[1] and (y[1] == X[1] * factor(used[1])).all()
            assert seeded(X, seed=5)[1] == 5
    with pytest.raises(TypeError, match="seeded: seed: expected a key of `jax.random` or an int"):
        seeded(X)
    for wrong in (jax.random.split(jax.random.key(0), 2), *map(np.uint32, ([[0, 1]], [0] * 3))):
        for call in (seeded, jax.jit(seeded)):
            with pytest.raises(TypeError, match="seeded: seed: expected a key of `jax.random` or"):
                call(X, seed=wrong)


CHECKED = """
import jax, numpy as np
from boundary.jax import seeded
x = np.ones((2, 3), np.float32)
y, used = seeded(x, seed=jax.random.key(3))
assert (y == 1 + used % 1000).all()
try:
    seeded(x, seed=-1)
except ValueError as refused:
    assert "seed" in str(refused), refused
else:
    raise AssertionError("seeds are not negative")
"""


def test_values_of_a_call_with_a_key_are_checked(project: Path) -> None:
    pytest.importorskip("jax")
    environment = {**os.environ, "OPGEN_CHECK_VALUES": "1", "PYTHONPATH": str(project)}
    command = [sys.executable, "-c", CHECKED]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


ACROSS = """
import os, sys, torch
import torch.distributed as dist
from torch.distributed.tensor import Shard, distribute_tensor, init_device_mesh
from boundary.torch import seeded
os.environ |= {"RANK": "0", "WORLD_SIZE": "1", "MASTER_ADDR": "localhost", "MASTER_PORT": "0"}
dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
x = distribute_tensor(torch.ones(4, 3), init_device_mesh("cpu", (1,)), [Shard(0)])
try:
    seeded(x)
except ValueError as refused:
    assert "seeded: seed: expected a seed" in str(refused), refused
else:
    raise AssertionError("each process would draw its own")
y, used = seeded(x, seed=5)
assert (y.full_tensor() == 6).all()
dist.destroy_process_group()
"""


def test_of_dtensors_the_seed_is_given(project: Path) -> None:
    pytest.importorskip("torch")
    environment = {**os.environ, "PYTHONPATH": str(project)}
    command = [sys.executable, "-c", ACROSS]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_a_seed_that_only_some_calls_have(boundary: ModuleType) -> None:
    torch = pytest.importorskip("torch")
    jax = pytest.importorskip("jax")
    from boundary.jax import thinned as in_jax
    from boundary.torch import thinned

    x = torch.from_numpy(X)
    for call in (thinned, torch.compile(thinned, fullgraph=True)):
        torch.manual_seed(3)
        state = torch.get_rng_state()
        assert torch.equal(call(x), x) and torch.equal(torch.get_rng_state(), state)
        found = {bool(call(x, p=0.5).any()) for _ in range(20)}
        assert found == {False, True}
        assert torch.equal(call(x, torch.tensor(4), p=0.5), x)
    with pytest.raises(TypeError, match="thinned: seed: expected None unless p > 0.0"):
        thinned(x, 4)
    with pytest.raises(TypeError, match="thinned: p: expected"):
        thinned(x, p="0.5")

    assert (in_jax(X) == X).all() and (in_jax(X, 4, p=0.5) == X).all()
    keys = jax.random.split(jax.random.key(0), 20)
    assert {bool(in_jax(X, key, p=0.5).any()) for key in keys} == {False, True}
    with pytest.raises((TypeError, ValueError), match="thinned: seed: expected"):
        in_jax(X, p=0.5)
