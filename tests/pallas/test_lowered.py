"""Programs that JAX lowers for TPUs without a TPU: Mosaic's custom calls, and refusals."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import pytest
from jax.sharding import AxisType, NamedSharding, PartitionSpec

P = PartitionSpec


@pytest.fixture
def ops(projects: Path) -> Any:
    return import_module("pallas_ops.jax")


def lowered(function: Callable[..., Any], *args: Any) -> str:
    return jax.jit(function).trace(*args).lower(lowering_platforms=("tpu",)).as_text()


def calls(text: str) -> int:
    return text.count("@tpu_custom_call(")


def arrays(dtype: Any, *shape: int) -> tuple[jax.Array, jax.Array]:
    return jnp.ones(shape, dtype), jnp.ones(shape[-1:], dtype)


def gradient(ops: Any, *of: int) -> Callable[..., Any]:
    return jax.grad(lambda x, w: ops.rms_norm(x, w).astype(jnp.float32).sum(), of)


@pytest.mark.parametrize("dtype", [jnp.bfloat16, jnp.float32])
@pytest.mark.parametrize("shape", [(33,), (3, 5, 129), (700, 256)], ids=str)
def test_one_custom_call_for_each_kernel(ops: Any, dtype: Any, shape: tuple[int, ...]) -> None:
    x, weight = arrays(dtype, *shape)
    assert calls(lowered(ops.rms_norm, x, weight)) == 1
    assert calls(lowered(gradient(ops, 0, 1), x, weight)) == 2
    if shape[-1] % 2 == 0:
        assert calls(lowered(ops.silu_and_mul, x)) == 1


def test_scratch_scalars_and_absent_inputs(projects: Path) -> None:
    matmul = import_module("blocks_ops.jax").scaled_matmul
    x, w = jnp.ones((2, 21, 150), jnp.bfloat16), jnp.ones((150, 130), jnp.bfloat16)
    plain = lowered(lambda x, w, s: matmul(x, w, s, sized=True), x, w, 2.0)
    assert calls(plain) == 1 and "tensor<42x1xf32>" in plain
    biased = lowered(lambda x, w, s, bias: matmul(x, w, s, bias), x, w, 2.0, w[0])
    assert calls(biased) == 1 and "tensor<1x130xbf16>" in biased


def test_a_result_that_nobody_wants_is_not_made(ops: Any) -> None:
    x, weight = arrays(jnp.float32, 8, 128)
    both, one = (lowered(gradient(ops, *of), x, weight) for of in ((0, 1), (0,)))
    assert calls(both) == calls(one) == 2
    made = "-> (tensor<8x128xf32>, tensor<1x128xf32>)"  # dx, dweight
    assert made in both and made not in one


def test_vmap_adds_to_the_grid(ops: Any) -> None:
    """If no dim of the op takes the batch, `vmap` adds an axis to the grid of the Pallas kernel."""
    x, weight = arrays(jnp.float32, 8, 128)
    assert calls(lowered(jax.vmap(ops.rms_norm, (None, 0)), x, jnp.stack([weight] * 3))) == 1
    double = jax.vmap(jax.vmap(ops.rms_norm, (None, 0)), (0, None))
    assert calls(lowered(double, jnp.stack([x] * 2), jnp.stack([weight] * 3))) == 1


@pytest.mark.parametrize(("shape", "dtype"), [((0, 128), "float32"), ((8, 128), "float64")])
def test_what_the_kernel_does_not_take_runs_the_reference(
    projects: Path, shape: tuple[int, ...], dtype: str, caplog: pytest.LogCaptureFixture
) -> None:
    matmul = import_module("blocks_ops.jax").scaled_matmul
    with jax.enable_x64(True):
        x, w = jnp.ones(shape, dtype), jnp.ones((shape[-1], 7), dtype)
        assert calls(lowered(matmul, x, w, jnp.float32(2.0))) == 0
    assert "scaled_matmul: a kernel that requires " in caplog.text


@pytest.mark.parametrize("kind", [AxisType.Auto, AxisType.Explicit], ids=str)
def test_shards(ops: Any, kind: AxisType) -> None:
    """In `shard_map` and on explicit meshes, kernels run on shards, and dweight is summed once."""
    mesh = jax.make_mesh((4,), ("data",), axis_types=(kind,))
    x, weight = arrays(jnp.bfloat16, 16, 128)
    x = jax.device_put(x, NamedSharding(mesh, P("data")))
    weight = jax.device_put(weight, NamedSharding(mesh, P()))
    function = gradient(ops, 0, 1)
    inside = jax.shard_map(function, in_specs=(P("data"), P()), out_specs=(P("data"), P()))
    with jax.set_mesh(mesh):
        texts = [lowered(inside, x, weight)]
        if kind == AxisType.Explicit:
            texts.append(lowered(function, x, weight))
        else:
            with pytest.raises(NotImplementedError, match="call it in `jax.shard_map`"):
                lowered(function, x, weight)
    for text in texts:
        assert (calls(text), text.count("all_reduce"), text.count("all_gather")) == (2, 1, 0)
        assert "tensor<4x128xbf16>" in text


PROGRAM = """
import sys

class Nowhere:
    def find_spec(self, name, *rest):
        assert name.partition(".")[0] != "opgen", name

sys.meta_path.insert(0, Nowhere())
import jax, jax.numpy as jnp
from pallas_ops.jax import rms_norm
x, w = jnp.ones((3, 33)), jnp.ones(33)
rms_norm(x, w)
assert "jax.experimental.pallas" not in sys.modules
text = jax.jit(rms_norm).trace(x, w).lower(lowering_platforms=("tpu",)).as_text()
assert text.count("@tpu_custom_call(") == 1
"""


def test_the_package_does_without_opgen_and_imports_pallas_for_tpus_alone(projects: Path) -> None:
    folder = projects / "pallas"
    subprocess.run([sys.executable, "-c", PROGRAM], cwd=folder, check=True)
