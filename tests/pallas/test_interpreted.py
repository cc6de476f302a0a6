"""Kernels in Pallas in JAX's interpreter: values, races, and reads of unwritten memory."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.experimental.pallas import tpu as pltpu
from jax.sharding import AxisType, NamedSharding, PartitionSpec

from opgen.testing import pallas_checks
from opgen.testing.cases import cases
from opgen.testing.environment import Case
from opgen.testing.op_under_test import OpUnderTest, load

pytestmark = pytest.mark.slow

# Odd sizes, several blocks of which the last is not full, and options.
CASES = (
    *itertools.product(
        ("rms_norm", "rms_norm_bwd", "silu_and_mul"), ["batch67x5-d33"], ["bf16", "f32"]
    ),
    ("scaled_matmul", "batch3x7-k150-n130", "bf16"),
    ("scaled_matmul", "batch-k129-n1-sizedTrue", "f32"),
    ("scaled_matmul", "batch1-k33-n64-no_bias", "bf16"),
)


def subject_of(projects: Path, op: str) -> OpUnderTest:
    tests = projects.glob("*/*/tests/test_ops.py")
    (test,) = (test for test in tests if f'"{op}": ' in test.read_text())
    package = test.parts[-3]
    return load(str(test), op, package=package, namespace=package)


def case_of(subject: OpUnderTest, named: str, dtype: str) -> Case:
    """Return the rendered case with this name, with `dtype` for all dtype variables."""
    case = next(case for case in cases(subject.op) if str(case).partition("-")[2] == named)
    return replace(case, dtypes=tuple((name, dtype) for name, _ in case.dtypes))


@pytest.mark.parametrize(("op", "named", "dtype"), CASES)
def test_values(projects: Path, op: str, named: str, dtype: str) -> None:
    subject = subject_of(projects, op)
    pallas_checks.interpreted(subject, case_of(subject, named, dtype))


@pytest.mark.parametrize("wrong", ["unmasked", "racing"])
def test_what_is_wrong_is_found(
    projects: Path, wrong: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The interpreter finds reads outside the array, and programs that write the same block."""
    subject = subject_of(projects, "rms_norm_bwd")
    module: Any = import_module("pallas_ops.tpu._rms_norm_bwd")
    if wrong == "unmasked":
        source = Path(module._kernel.__code__.co_filename).read_text()
        names: dict[str, Any] = {}
        exec(source.replace("row < batch", "row == row"), names)
        monkeypatch.setattr(module, "_kernel", names["rms_norm_bwd"])
    else:
        run = module._pallas.run
        parallel: Callable[..., Any] = lambda *a, **k: run(*a, **k | {"semantics": ("parallel",)})
        monkeypatch.setattr(module._pallas, "run", parallel)
    case = case_of(subject, "batch67x5-d33", "f32")
    with pytest.raises(AssertionError, match="nan" if wrong == "unmasked" else "RACE DETECTED"):
        pallas_checks.interpreted(subject, case)
    pltpu.reset_tpu_interpret_mode_state()


@pytest.fixture
def on_cpu(projects: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return `pallas_ops.jax` with TPU kernels interpreted on the CPU, without a partitioner."""
    package: Any = import_module("pallas_ops.jax")
    execution: Any = import_module("pallas_ops._opgen.jax.execution")
    sharding: Any = import_module("pallas_ops._opgen.jax.sharding")
    place = execution.place

    def lowering_of(op: Any, platform: str) -> Any:
        return getattr(import_module(f"pallas_ops.tpu._{op.name}"), op.name)

    def placed(op: str, kernels: Any, *others: Any) -> Any:
        return place(op, {"cpu": kernels["tpu"]}, *others)

    monkeypatch.setattr(execution, "lowering_of", lowering_of)
    monkeypatch.setattr(execution, "place", placed)
    monkeypatch.setattr(sharding, "_assigned", sharding._computed)
    jax.clear_caches()
    with pallas_checks.interpreter():
        yield package
    jax.clear_caches()


def test_gradients_split_over_a_mesh(on_cpu: Any) -> None:
    """Gradients on a mesh follow the spec's sharding: shards, and one sum of their parts."""
    mesh = jax.make_mesh((2,), ("data",), axis_types=(AxisType.Explicit,))
    x, dy = (jax.random.normal(jax.random.key(n), (6, 33), jnp.float32) for n in range(2))
    weight = jnp.linspace(0.5, 1.5, 33)

    def loss(x: jax.Array, weight: jax.Array, norm: Any) -> jax.Array:
        return jnp.sum(norm(x, weight) * dy)

    def plain(x: jax.Array, weight: jax.Array) -> jax.Array:
        return x * jax.lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-6) * weight

    wanted = jax.grad(loss, (0, 1))(x, weight, plain)
    split = NamedSharding(mesh, PartitionSpec("data"))
    with jax.set_mesh(mesh):
        dy = jax.device_put(dy, split)
        whole = jax.device_put(weight, NamedSharding(mesh, PartitionSpec()))
        found = jax.grad(loss, (0, 1))(jax.device_put(x, split), whole, on_cpu.rms_norm)
    assert found[0].sharding.spec[0] == "data"
    for got, exact in zip(found, wanted):
        np.testing.assert_allclose(got, exact, rtol=1e-5, atol=1e-5)
