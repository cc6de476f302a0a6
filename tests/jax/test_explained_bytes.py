"""The compiled program moves the bytes that `opgen explain OP --mesh` reports."""

from __future__ import annotations

import re
from pathlib import Path

import jax
import jax.numpy as jnp
import pytest
from jax.sharding import AxisType, NamedSharding
from jax.sharding import PartitionSpec as P

import generated.jax
from opgen.cli.main import main
from opgen.testing.collectives import moved

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(jax.device_count() < 8, reason="needs 8 devices"),
]

# Splits of inputs, with sizes that a mesh of (4, 2) divides.
SPLITS = {
    "rms_norm": ["x=d,-", "x=-,d", "x=t,d weight=d", "x=-,d+t weight=d+t", "weight=d"],
    "rms_norm_bwd": [
        "dy=d x=d invvar=d",
        "dy=-,d x=-,d weight=d",
        "dy=t,d x=t,d invvar=t weight=d",
    ],
    "layer_norm": ["x=d", "x=-,d weight=d bias=d", "x=t,d"],
    "layer_norm_bwd": ["dy=d x=d mean=d rstd=d", "dy=-,d x=-,d weight=d"],
    "cross_entropy": ["logits=d labels=d", "logits=-,d", "logits=t,d labels=t"],
    "embedding": ["weight=d", "weight=-,d", "weight=d,t", "weight=d indices=t"],
    "rotary": ["q=d k=d positions=d", "q=-,-,t k=-,-,t", "q=-,-,-,d k=-,-,-,d"],
    "silu_and_mul": ["x=d,-", "x=-,d"],
    "swiglu": ["gate=d,t up=d,t", "gate=-,d up=-,d"],
    "embedding_bwd": ["dy=d indices=d", "dy=-,d", "dy=t,d indices=t"],
}
SIZES = {
    "rms_norm": "batch=64,norm=32",
    "rms_norm_bwd": "batch=64,norm=32",
    "layer_norm": "batch=64,normalized_shape=128",
    "layer_norm_bwd": "batch=64,norm=32",
    "cross_entropy": "batch=64,c=32",
    "embedding": "rows=256,d=32,s=32",
    "rotary": "lead=8,t=8",
    "silu_and_mul": "batch=64,d=32",
    "swiglu": "s=64x32",
    "embedding_bwd": "s=32,d=32,rows=64",
}
ATTRS = {
    "layer_norm": {"normalized_shape": (128,)},
    "layer_norm_bwd": {"eps": 1e-5},
    "embedding_bwd": {"rows": 64},
}
ARRAY = re.compile(r"^ +(\w+) +(\w+)\[([\d,]*)\] +([\w,+-]*)", re.M)


@pytest.mark.parametrize("op, splits", [(op, each) for op in SPLITS for each in SPLITS[op]])
def test_the_program_moves_what_is_said(op, splits, monkeypatch, capsys) -> None:
    """On explicit meshes, the compiled program moves as many bytes as `opgen explain` reports.

    On these meshes only the op determines how its results are split.
    """
    monkeypatch.chdir(Path(__file__).parents[2])
    words = [word for split in splits.split() for word in ("--split", split)]
    assert main(["explain", op, "--mesh", "d=4,t=2", *words, "--sizes", SIZES[op]]) == 0
    text = capsys.readouterr().out
    said = int(re.search(r": (\d+) bytes reach each device", text)[1])
    assert said == sum(bytes_of(line) for line in text.splitlines()[3:])
    assert said == moved(program(op, text))


def bytes_of(row: str) -> int:
    """Return the bytes in a row of the table."""
    return next(int(cell) for cell in row.split()[1:] if cell.isdigit())


def program(op: str, text: str) -> str:
    """Return the HLO of a call with the arrays of the table, split as the table shows."""
    wrapper = getattr(generated.jax, op)
    mesh = jax.make_mesh((4, 2), ("d", "t"), (AxisType.Explicit,) * 2)
    with jax.enable_x64(True), jax.set_mesh(mesh):
        found = {}
        for name, dtype, sizes, split in ARRAY.findall(text):
            shape = tuple(map(int, filter(None, sizes.split(","))))
            dims = (dim.split("+") for dim in split.split(","))
            spec = P(*(tuple(a for a in dim if a != "-") or None for dim in dims))
            sharding = NamedSharding(mesh, spec if shape else P())
            found[name] = jax.ShapeDtypeStruct(shape, jnp.dtype(dtype), sharding=sharding)
        call = jax.jit(lambda arrays: wrapper(**arrays, **ATTRS.get(op, {})))
        return call.lower(found).compile().as_text()
