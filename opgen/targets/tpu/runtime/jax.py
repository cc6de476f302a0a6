"""Pallas kernels in JAX. Rendered by opgen.

This module imports Pallas and traces a kernel only when JAX lowers a call for a TPU. So calls on
other platforms have no overhead.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import jax
from jax.extend.core import Primitive
from jax.interpreters import batching, mlir

from .._opgen.jax.arrays import spec_of
from .._opgen.jax.dtypes import DTYPES
from ..core import CoreOp

pallas_kernel = Primitive("pallas_kernel")
pallas_kernel.multiple_results = True


def lowering(op: CoreOp) -> Callable[..., tuple[jax.Array, ...]] | None:
    """Return the function that calls the TPU kernel of `op`, or None if the op has none.

    The function takes operands by position, and attrs by keyword. An absent operand is None.
    """
    there = find_spec(f".{_module(op)}", __package__) is not None
    return functools.partial(call, op) if there else None


def call(op: CoreOp, *operands: jax.Array | None, **attrs: Any) -> tuple[jax.Array, ...]:
    """Call the op's kernel. Return its outputs, then its residuals, without absent results."""
    arrays, given = jax.tree.flatten(operands)
    facts = {"op": op, "attrs": tuple(attrs.items()), "given": given, "batched": ()}
    return tuple(pallas_kernel.bind(*arrays, **facts))


def _module(op: CoreOp) -> str:
    return f"_{op.name}"


def _function(
    op: CoreOp, attrs: Any, given: jax.tree_util.PyTreeDef, batched: Any
) -> Callable[..., Any]:
    """Return a function that calls the kernel on arrays, in a `vmap` for each item of `batched`."""

    def function(*arrays: jax.Array) -> tuple[jax.Array, ...]:
        kernel = getattr(import_module(f".{_module(op)}", __package__), op.name)
        found: tuple[jax.Array, ...] = kernel(*jax.tree.unflatten(given, arrays), **dict(attrs))
        return found

    for has in batched:
        function = jax.vmap(function, [0 if each else None for each in has])
    return function


def _abstract(
    *arrays: Any, op: CoreOp, attrs: Any, given: jax.tree_util.PyTreeDef, batched: Any
) -> list[Any]:
    shapes = [x.shape for x in arrays]
    lead: tuple[Any, ...] = ()
    for has in reversed(batched):
        lead = (*lead, next(shape[0] for shape, each in zip(shapes, has) if each))
        shapes = [shape[1:] if each else shape for shape, each in zip(shapes, has)]
    inner = map(jax.ShapeDtypeStruct, shapes, [x.dtype for x in arrays])
    specs = map(spec_of, jax.tree.unflatten(given, list(inner)))
    results = op.infer(*specs, **dict(attrs))
    return [
        jax.core.ShapedArray((*lead, *r.shape), DTYPES[r.dtype]) for r in results if r is not None
    ]


def _lower(context: Any, *arrays: Any, **facts: Any) -> Any:
    return mlir.lower_fun(_function(**facts), multiple_results=True)(context, *arrays)


def _batch(arrays: Sequence[Any], dims: Sequence[Any], *, batched: Any, **facts: Any) -> Any:
    mapped = [x if dim is None else jax.numpy.moveaxis(x, dim, 0) for x, dim in zip(arrays, dims)]
    batched = (*batched, tuple(dim is not None for dim in dims))
    results = pallas_kernel.bind(*mapped, batched=batched, **facts)
    return results, [0] * len(results)


pallas_kernel.def_abstract_eval(_abstract)
mlir.register_lowering(pallas_kernel, _lower)
batching.primitive_batchers[pallas_kernel] = _batch
