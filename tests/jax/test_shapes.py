"""Abstract evaluation of every op family, against shapes known from sizes and symbolic sizes."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import pytest
from jax import export

from opgen.ir.op import Op
from opgen.language.expr import Compare, Expr, IfElse
from opgen.language.expr.evaluate import evaluate
from opgen.targets.jax import JAX_NAMES
from tests.drawn import PROJECT, Draw, computed, draws


def struct(shape: tuple, dtype: str) -> jax.ShapeDtypeStruct:
    return jax.ShapeDtypeStruct(shape, getattr(jnp, JAX_NAMES[dtype]))


def wrapper(op: str) -> Any:
    """Return the function of an op. Functions of stages are not public names."""
    return getattr(importlib.import_module(f"generated.jax._{op}"), op)


def evaluated(draw: Draw) -> list[Any]:
    """Return the result shapes by abstract evaluation; None for an absent result."""
    inputs = draw.inputs(struct)
    attrs = draw.attrs()
    if any(t.optional for t in draw.op.outputs):
        attrs["wanted"] = tuple(n for n in draw.wanted)
    with jax.enable_x64(True):
        got = jax.eval_shape(partial(wrapper(draw.op.name), **attrs), *inputs)
    results = [got] if len(draw.op.results) == 1 else got
    return [None if r is None else _shape(r) for r in results]


def _shape(result: Any) -> Any:
    return [r.shape for r in result] if isinstance(result, list) else result.shape


def measured(draw: Draw) -> list[Any]:
    """Return the shapes computed from the sizes: of the outputs, then of the updated inputs."""
    outputs = [draw.results()[t.name] for t in draw.op.outputs]
    inputs = zip(draw.op.inputs, draw.inputs(struct))
    updated = [None if x is None else _shape(x) for t, x in inputs if t.update]
    return outputs + updated


@pytest.mark.parametrize("op", PROJECT.ops, ids=lambda op: op.name)
def test_abstract_evaluation_gives_the_measured_shapes(op: Op) -> None:
    for draw in draws(op, 10):
        assert evaluated(draw) == measured(draw)


@pytest.mark.parametrize("op", PROJECT.ops, ids=lambda op: op.name)
def test_symbolic_sizes_give_symbolic_shapes(op: Op) -> None:
    """Every size that nothing else determines may be a symbol, as in `jax.export`."""
    for draw in draws(op, 4):
        symbolic = with_symbols(draw)
        assert evaluated(symbolic) == measured(symbolic)


def with_symbols(draw: Draw) -> Draw:
    """Return the same call with symbolic sizes, for which JAX knows the op's requirements."""
    sizes = [draw.values[name] for name in draw.free()]
    groups = [g for g in sizes if isinstance(g, tuple)] + [
        g for each in draw.each.values() for g in each
    ]
    count = sum(map(len, groups)) + sum(not isinstance(size, tuple) for size in sizes)

    def named(constraints: list[str]) -> Draw:
        text = ", ".join(f"n{i}" for i in range(count))
        symbols = iter(export.symbolic_shape(text, constraints=constraints))
        return draw.resized(lambda: next(symbols))

    found = named(constraints(named([])))
    # Attrs are static: a default must not depend on a symbol.
    given = {"int": 1, "float": 0.5}
    found.said = {attr.name: given[attr.type] for attr in draw.op.attrs if computed(attr)}
    return found


def constraints(draw: Draw) -> list[str]:
    """Return the comparisons in the op's requirements that do not hold for all sizes."""
    symbol = type(export.symbolic_shape("a")[0])
    found = []
    for requirement in draw.op.require:
        for op, *operands in compared(requirement.condition, draw.values):
            left, right = (evaluate(each, draw.values) for each in operands)
            if isinstance(left, symbol) or isinstance(right, symbol):
                found.append(f"{left} {op} {right}".replace(" < ", " <= -1 + "))
    return found


def compared(condition: Expr, values: dict[str, Any]) -> Iterator[tuple[str, Expr, Expr]]:
    """Yield the comparisons in a requirement for one call, except `!=`."""
    match condition:
        case IfElse(test=test, body=body, orelse=orelse):
            yield from compared(body if evaluate(test, values) else orelse, values)
        case Compare(ops=ops, operands=operands):
            pairs = zip(ops, operands, operands[1:])
            yield from (each for each in pairs if each[0] in ("<=", ">=", "==", "<"))
