"""The transpose of an op's call, for `jax.linear_transpose`.

An op is linear in an input if that input's gradient does not read the input. The rule of reverse
mode determines this. The call is a primitive, because only primitives can have a transpose rule.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
from jax.custom_derivatives import SymbolicZero
from jax.extend.core import ClosedJaxpr, Primitive, jaxpr_as_fun
from jax.interpreters import ad, batching, mlir
from jax.interpreters import partial_eval as pe

Arrays = Sequence[Any]


@dataclass(frozen=True, eq=False)
class Transposable:
    """A call that can be transposed. Operands and results are flat lists.

    `pull` takes the operands, with None for each in which the call is linear, and the cotangents of
    the results. It returns the cotangents of the operands that are None.
    """

    call: Callable[..., list[Any]]
    pull: Callable[[Arrays, Arrays], list[Any]]


def bind(of: Transposable, function: Callable[..., Any], operands: Arrays) -> list[Any]:
    """Return the results of `function`, which computes the same as `of.call` but has no transpose
    rule.
    """
    made: list[Any] = _call.bind(*operands, jaxpr=jax.make_jaxpr(function)(*operands), of=of)
    return made


def linear(op: str, names: Sequence[str], avals: Arrays, *pulls: Callable[..., Any]) -> list[Any]:
    """Return the cotangents of inputs of types `avals`, from the first of `pulls` that can run.

    Raises TypeError if every pull reads one of the inputs `names`, because `op` is then not linear
    in them.
    """
    zeros = [ad.zeros_like_aval(aval) for aval in avals]
    for pull in pulls:
        pulled = jax.make_jaxpr(pull)(*zeros)
        jaxpr, used = pe.dce_jaxpr(pulled.jaxpr, [True] * len(pulled.out_avals))
        if not any(used) and len(pulled.out_avals) == len(zeros):
            return list(jaxpr_as_fun(ClosedJaxpr(jaxpr, pulled.consts))())
    of = " and ".join(dict.fromkeys(names))
    raise TypeError(f"{op}: it is not linear in {of}: only a linear function can be transposed")


def over_axis(
    axis: Any, pull: Callable[[Arrays, Arrays], list[Any]], dims: Sequence[int | None]
) -> Callable[[Arrays, Arrays], list[Any]]:
    """Return `pull` for operands and cotangents with a batch axis. `dims` has the axis of each
    operand.

    Symbolic zeros bypass `vmap`, which accepts only arrays.
    """

    def pull_all(operands: Arrays, cotangents: Arrays) -> list[Any]:
        arrays = [ct for ct in cotangents if type(ct) is not SymbolicZero]

        def of_one(operands: Arrays, arrays: Arrays) -> list[Any]:
            made = iter(arrays)
            given = [_of_one(ct) if type(ct) is SymbolicZero else next(made) for ct in cotangents]
            return pull(operands, given)

        at = [None if x is None else dim for x, dim in zip(operands, dims)]
        found: list[Any] = over(axis, of_one, (at, 0))(operands, arrays)
        return found

    return pull_all


def over(axis: Any, function: Callable[..., Any], dims: Any) -> Callable[..., Any]:
    """Return `function` mapped with the name, size and mesh axes of the enclosing `vmap`."""
    mapped: Callable[..., Any] = jax.vmap(
        function,
        in_axes=dims,
        axis_name=axis.name,
        axis_size=axis.size,
        spmd_axis_name=axis.spmd_name,
    )
    return mapped


def longer(axis: Any, aval: Any) -> Any:
    """Return the type `aval` with the batch axis of `vmap` as an additional first dim."""
    spec = jax.P(axis.explicit_mesh_axis, *aval.sharding.spec)
    sharding = aval.sharding.update(spec=spec)
    return aval.update(shape=(axis.size, *aval.shape), sharding=sharding)


def at_front(axis: Any, x: Any, dim: int | None) -> Any:
    """Return `x` with its batch axis moved from dim `dim` to the front."""
    return batching.bdim_at_front(x, dim, axis.size, axis.explicit_mesh_axis)


def _of_one(zero: SymbolicZero) -> SymbolicZero:
    """Return the symbolic zero of one element, from the symbolic zero of the batch."""
    aval: Any = zero.aval
    sharding = aval.sharding.update(spec=jax.P(*aval.sharding.spec[1:]))
    return SymbolicZero(aval.update(shape=aval.shape[1:], sharding=sharding))


_call = Primitive("op")


def _jvp(primals: Arrays, tangents: Arrays, *, of: Transposable, **_: Any) -> Any:
    return jax.jvp(of.call, tuple(primals), tuple(map(ad.instantiate_zeros, tangents)))


def _transpose(
    cotangents: Arrays, *operands: Any, jaxpr: ClosedJaxpr, of: Transposable
) -> list[Any]:
    known = [None if ad.is_undefined_primal(x) else x for x in operands]
    if all(type(ct) is ad.Zero for ct in cotangents):
        return [ad.Zero(x.aval) if y is None else None for x, y in zip(operands, known)]
    zeros = [SymbolicZero(ct.aval) if type(ct) is ad.Zero else ct for ct in cotangents]
    found = iter(of.pull(known, zeros))
    return [next(found) if x is None else None for x in known]


def _batch(
    axis: Any, operands: Arrays, dims: Sequence[int | None], *, jaxpr: ClosedJaxpr, of: Transposable
) -> Any:
    if all(dim is None for dim in dims):
        made = _call.bind(*operands, jaxpr=jaxpr, of=of)
        return made, [None] * len(made)
    moved = [x if dim is None else at_front(axis, x, dim) for x, dim in zip(operands, dims)]
    at = tuple(None if dim is None else 0 for dim in dims)
    each = over_axis(axis, of.pull, at)

    def pull(operands: Arrays, cotangents: Arrays) -> list[Any]:
        found = iter(each(operands, cotangents))
        cts = [(next(found), dim) for x, dim in zip(operands, at) if x is None]
        return [jnp.sum(ct, 0) if dim is None else ct for ct, dim in cts]

    grown = Transposable(over(axis, of.call, at), pull)
    made = bind(grown, over(axis, jaxpr_as_fun(jaxpr), at), moved)
    return made, [0] * len(made)


_call.multiple_results = True
_call.def_impl(lambda *operands, jaxpr, of: jaxpr_as_fun(jaxpr)(*operands))
_call.def_effectful_abstract_eval(lambda *_, jaxpr, of: (jaxpr.out_avals, jaxpr.effects))
mlir.register_lowering(
    _call,
    mlir.lower_fun(
        lambda *operands, jaxpr, of: jaxpr_as_fun(jaxpr)(*operands), multiple_results=True
    ),
)
ad.primitive_jvps[_call] = _jvp
ad.primitive_transposes[_call] = _transpose
batching.fancy_primitive_batchers[_call] = _batch
