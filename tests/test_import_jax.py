"""`opgen import jax`: drafts of specs from wrappers of FFI calls, which are traced."""

from __future__ import annotations

from pathlib import Path

import pytest

from opgen.cli.main import main

pytest.importorskip("jax")
OPS = """
from functools import partial

import jax
import jax.numpy as jnp
from jax.experimental.custom_partitioning import custom_partitioning


def _call(x, weight, eps):
    made = (jax.ShapeDtypeStruct(x.shape, x.dtype), jax.ShapeDtypeStruct(x.shape[:-1], jnp.float32))
    return jax.ffi.ffi_call("my_norm", made)(x, weight, eps=eps)


@partial(jax.custom_vjp, nondiff_argnums=(2,))
def norm(x, weight, eps=1e-5):
    return _call(x, weight, eps)[0]


def _forward(x, weight, eps):
    y, rstd = _call(x, weight, eps)
    return y, (x, weight, rstd)


def _backward(eps, kept, dy):
    x, weight, rstd = kept
    made = (jax.ShapeDtypeStruct(x.shape, x.dtype), jax.ShapeDtypeStruct(weight.shape, x.dtype))
    return jax.ffi.ffi_call("my_norm_bwd", made)(x, weight, rstd, dy, eps=eps)


norm.defvjp(_forward, _backward)


@custom_partitioning
def _product(a, b):
    made = jax.ShapeDtypeStruct((*a.shape[:-1], b.shape[1]), jnp.float32)
    return jax.ffi.ffi_call("my_product", made)(a, b)


_product.def_partition(
    partition=None, sharding_rule="... i k, k j -> ... i j", need_replication_factors=("j",)
)


def product(lhs: jax.Array, rhs: jax.Array) -> jax.Array:
    return _product(lhs, rhs)


def add_to(x, by: float, *, mode="fast"):
    made = jax.ShapeDtypeStruct(x.shape, x.dtype)
    return jax.ffi.ffi_call("my_add", made, input_output_aliases={0: 0})(x, by=by, mode=mode)
"""
CALLS = """
import jax
import jax.numpy as jnp
import my_ops

for dtype, *shape in (("float32", 3, 8), ("bfloat16", 2, 5, 16)):
    x, weight = (jax.ShapeDtypeStruct(s, jnp.dtype(dtype)) for s in (tuple(shape), tuple(shape[-1:])))
    jax.eval_shape(lambda x, weight: my_ops.norm(x, weight, eps=1e-3), x, weight)
for dtype, *shape in (("float32", 2, 3), ("bfloat16", 4, 7, 3)):
    a, b = (jax.ShapeDtypeStruct(s, jnp.dtype(dtype)) for s in (tuple(shape), (3, 5)))
    jax.eval_shape(my_ops.product, a, b)
"""
NORM = """\
inputs.x       = { dtype = "T", shape = "*s n" }
inputs.weight  = { dtype = "T", shape = "n" }
attrs.eps      = { type = "float", default = 1e-05 }
outputs.y      = { dtype = "T", shape = "*s n" }
residuals.rstd = { dtype = "f32", shape = "*s" }
grad.backward  = "norm_bwd"
samples        = [
  { s = [3], n = 8, T = "f32", eps = 0.001 },
  { s = [2, 5], n = 16, T = "bf16", eps = 0.001 },
"""
NORM_BWD = """\
inputs.dy      = { dtype = "T", shape = "*s n" }
inputs.x       = { dtype = "T", shape = "*s n" }
inputs.weight  = { dtype = "T", shape = "n" }
inputs.rstd    = { dtype = "f32", shape = "*s" }
attrs.eps      = { type = "float", default = 1e-05 }
outputs.dx     = { dtype = "T", shape = "*s n" }
outputs.dweight = { dtype = "T", shape = "n" }
grad           = "none"
"""
PRODUCT = """\
inputs.lhs     = { dtype = "T", shape = "*batch i_size k" }
inputs.rhs     = { dtype = "T", shape = "k j" }
outputs.y      = { dtype = "f32", shape = "*batch i_size j" }
grad           = "reference"  # guess: rather than formulas or a backward op
sharding.split = ["batch", "i_size"]
"""
ADD_TO = """\
inputs.x       = { dtype = "T", shape = "*s" }  # guess: its shape
attrs.by       = { type = "float" }
attrs.mode     = { type = "str", default = "fast" }
outputs.y      = { dtype = "T", shape = "*s" }
grad           = "reference"  # guess: rather than formulas or a backward op
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "pyproject.toml").write_text(
        '[tool.opgen]\npackage = "p"\nout = "p"\nnamespace = "p"\n'
    )
    (tmp_path / "my_ops.py").write_text(OPS)
    (tmp_path / "calls.py").write_text(CALLS)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setenv("JAX_PLATFORMS", "cpu")
    return tmp_path


def said(project: Path, op: str, *more: str) -> str:
    """Return the lines of a draft about tensors, attrs, gradients and samples."""
    lines = (project / f"specs/{op}.toml").read_text().splitlines()
    kept = ("inputs", "attrs", "outputs", "residuals", "grad", "samples", "  {", *more)
    return "".join(f"{line}\n" for line in lines if line.startswith(kept))


def test_a_custom_vjp_with_its_calls(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["import", "jax", "my_ops:norm", "--calls", "calls.py"]) == 0
    assert said(project, "norm") == NORM
    assert said(project, "norm_bwd") == NORM_BWD
    forward, backward = ((project / f"specs/{n}.toml").read_text() for n in ("norm", "norm_bwd"))
    assert "# It calls the FFI target `my_norm`, with the attributes eps.\n" in forward
    assert "# It calls the FFI target `my_norm_bwd`, with the attributes eps.\n" in backward
    assert not (project / "specs/norm_bwd.py").exists()
    capsys.readouterr()
    assert main(["lint"]) == 0
    assert capsys.readouterr().out == "3 guesses left\n"
    assert main(["render"]) == 0


def test_a_sharding_rule_names_the_dims(project: Path) -> None:
    assert main(["import", "jax", "my_ops:product", "--calls", "calls.py"]) == 0
    assert said(project, "product", "sharding") == PRODUCT
    assert main(["lint"]) == 0


def test_without_calls(project: Path) -> None:
    assert main(["import", "jax", "my_ops:add_to"]) == 0
    assert said(project, "add_to") == ADD_TO
    text = (project / "specs/add_to.toml").read_text()
    assert "# It calls the FFI target `my_add`, with the attributes by, mode.\n" in text
    assert "# `x` shares memory with a result there: is it updated?\n" in text
    assert main(["lint"]) == main(["render"]) == 0


@pytest.mark.parametrize(
    ("command", "says"),
    [
        (["my_ops"], "expected a function as `MODULE:FUNCTION`, not `my_ops`"),
        (["no_ops:f"], "no_ops cannot be imported"),
        (["my_ops:nrom"], "has no attribute 'nrom'"),
        (["my_ops:norm", "--calls", "none.py"], "none.py failed: FileNotFoundError"),
        (["my_ops:norm", "--source", "f.cpp"], "`--source` goes with `opgen import torch`"),
    ],
)
def test_refused(
    project: Path, capsys: pytest.CaptureFixture[str], command: list[str], says: str
) -> None:
    assert main(["import", "jax", *command]) == 2
    assert says in capsys.readouterr().err
