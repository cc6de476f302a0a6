"""Faults planted in a rendered package: one of the package's rendered tests finds each fault."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.trust.conftest import Tally

pytestmark = pytest.mark.slow
GENERATED = Path(__file__).parents[2] / "generated"

# Description -> kind of fault, file, original text, faulty text, and the rendered test that finds
# it.
FAULTS = {
    "dtype of a fake result": (
        "shapes, dtypes and memory of results",
        "core/_rms_norm.py",
        "y=TensorSpec((*batch, *norm), W)",
        "y=TensorSpec((*batch, *norm), T)",
        "test_ops.py::rms_norm::test_inferred",
    ),
    "strides of a fake result": (
        "shapes, dtypes and memory of results",
        "core/_quantize_fp8.py",
        "(1, 0) if column_major else None",
        "None",
        "test_ops.py::quantize_fp8::test_inferred",
    ),
    "missing psum": (
        "sharding",
        "_opgen/jax/reductions.py",
        '"sum": jax.lax.psum',
        '"sum": lambda x, axes: x',
        "test_ops.py::embedding_bwd::test_jax_sharded",
    ),
    "batch dim of vmapped results in PyTorch": (
        "vmap",
        "_opgen/torch/batching.py",
        "return None if results is None else 0",
        "return None if results is None else results.ndim - 1",
        "test_ops.py::relu::test_torch_vmap",
    ),
    "rows of a vmapped call in the wrong order": (
        "vmap",
        "_opgen/torch/batching.py",
        "torch.stack(rows)[:size]",
        "torch.stack(rows[::-1])[:size]",
        "test_ops.py::tensor_add::test_torch_vmap",
    ),
    "sign of a gradient": (
        "gradients",
        "torch/_tensor_negate.py",
        "formula x cotangent:y neg",
        "formula x cotangent:y",
        "test_ops.py::tensor_negate::test_torch_gradients",
    ),
    "factor of a gradient": (
        "gradients",
        "torch/_tensor_negate.py",
        "formula x cotangent:y neg",
        "formula x cotangent:y -2 *",
        "test_ops.py::tensor_negate::test_torch_gradients",
    ),
    "wrong saved tensor in JAX": (
        "gradients",
        "jax/_swiglu.py",
        "return (_swiglu_op(gate, up), (gate, up))",
        "return (_swiglu_op(gate, up), (up, gate))",
        "test_ops.py::swiglu::test_jax_gradients",
    ),
    "wrong saved tensor in PyTorch": (
        "gradients",
        "torch/_swiglu.py",
        "cotangent:y input:gate input:up",
        "cotangent:y input:gate input:gate",
        "test_ops.py::swiglu::test_torch_gradients",
    ),
    "a result is an argument": (
        "shapes, dtypes and memory of results",
        "torch/_relu.py",
        "return (_traced if is_dynamo_compiling() else _eager)(x)",
        "return x.copy_(_eager(x)) if x.is_contiguous() else _eager(x)",
        "test_ops.py::relu::test_torch_values",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_found(fault: str, tmp_path: Path, tally: Tally) -> None:
    kind, file, sound, planted, test = FAULTS[fault]
    tally.setdefault(kind, {})[fault] = set()
    package = tmp_path / "generated"
    shutil.copytree(GENERATED, package, ignore=shutil.ignore_patterns("lib", "__pycache__"))
    (package / "lib").symlink_to(GENERATED / "lib")
    text = (package / file).read_text()
    assert sound in text
    (package / file).write_text(text.replace(sound, planted))
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider"]
        + ["--import-mode=importlib", f"generated/tests/{test}"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path), "OPGEN_SHARDING": ""},
        capture_output=True,
        text=True,
    )
    print("\n".join(line for line in done.stdout.splitlines() if line.startswith("E  "))[:600])
    assert done.returncode == 1, done.stdout + done.stderr  # 1: tests ran, and some failed
    assert "AssertionError" in done.stdout or "assert " in done.stdout, done.stdout
    tally[kind][fault] = {test.rpartition("::")[2]}
