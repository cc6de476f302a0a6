"""Abstract evaluation of every family against shapes measured from sizes, also of symbols."""

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
    """The function of an op; those of stages are not public names."""
    return getattr(importlib.import_module(f"generated.jax._{op}"), op)


def evaluated(draw: Draw) -> list[Any]:
    """The shapes that abstract evaluation gives the results; None for one not there."""
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
    """The same from the sizes: the outputs, then the updated inputs."""
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
    """Every size that nothing else fixes is a symbol, as `jax.export` has them."""
    for draw in draws(op, 4):
        symbolic = with_symbols(draw)
        assert evaluated(symbolic) == measured(symbolic)


def with_symbols(draw: Draw) -> Draw:
    """The same call with symbols for sizes, of which JAX is told what the op requires."""
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
    # An attr is static: no default of it can follow from a symbol.
    given = {"int": 1, "float": 0.5}
    found.said = {attr.name: given[attr.type] for attr in draw.op.attrs if computed(attr)}
    return found


def constraints(draw: Draw) -> list[str]:
    """The comparisons among the op's requirements that hold of no size by itself."""
    symbol = type(export.symbolic_shape("a")[0])
    found = []
    for requirement in draw.op.require:
        for op, *operands in compared(requirement.condition, draw.values):
            left, right = (evaluate(each, draw.values) for each in operands)
            if isinstance(left, symbol) or isinstance(right, symbol):
                found.append(f"{left} {op} {right}".replace(" < ", " <= -1 + "))
    return found


def compared(condition: Expr, values: dict[str, Any]) -> Iterator[tuple[str, Expr, Expr]]:
    """The comparisons that a requirement is made of in a call, but for `!=`."""
    match condition:
        case IfElse(test=test, body=body, orelse=orelse):
            yield from compared(body if evaluate(test, values) else orelse, values)
        case Compare(ops=ops, operands=operands):
            pairs = zip(ops, operands, operands[1:])
            yield from (each for each in pairs if each[0] in ("<=", ">=", "==", "<"))
