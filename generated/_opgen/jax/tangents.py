"""A JAX primitive that computes the tangents of a call."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import jax
from jax.custom_derivatives import SymbolicZero
from jax.experimental.custom_partitioning import custom_partitioning
from jax.extend.core import ClosedJaxpr, Primitive
from jax.interpreters import ad, batching, mlir
from jax.interpreters import partial_eval as pe

from .gradients import TypeOf, as_cotangent
from .transposition import at_front, longer, over, over_axis

Arrays = Sequence[Any]


@dataclass(frozen=True, eq=False)
class Linear:
    """A map from the tangents of an op's inputs to the tangents of its results.

    `push` takes the inputs and their tangents, and computes the map. `pull` is the transposed map.
    It takes the backward's saved values and the cotangents of the results, which have `types`. If
    `push` is None, the map is the transpose of `pull`. If `refusal` is not empty, the map raises
    TypeError.

    The primitive's operands are the saved values (their number is `kept`), then other inputs, then
    the tangents (their number is `moving`). `places` has the positions of all inputs among the
    operands.
    """

    push: Callable[[Arrays, Arrays], list[Any]] | None
    pull: Callable[[Arrays, Arrays], list[Any]]
    types: Sequence[Any]
    symbolic_zeros: bool
    op: str
    refusal: str
    kept: int = 0
    places: tuple[int, ...] = ()
    moving: int = 0

    def of(self, kept: Arrays, inputs: Arrays, tangents: Arrays) -> list[Any]:
        """Return the tangents of the results for these operands."""
        operands, places = [*kept], []
        for x in inputs:
            found = (n for n, y in enumerate(operands) if y is x)
            places.append(next(found, len(operands)))
            if places[-1] == len(operands):
                operands.append(x)
        linear = replace(self, kept=len(kept), places=tuple(places), moving=len(tangents))
        made: list[Any] = _bind([*operands, *tangents], linear)
        return made

    def __call__(self, *operands: Any) -> list[Any]:
        if self.refusal:
            raise TypeError(f"{self.op}: {self.refusal}")
        first = len(operands) - self.moving
        tangents = [*operands[first:]]
        if self.push is not None:
            found = self.push([operands[place] for place in self.places], tangents)
        else:
            pull = functools.partial(self.pull, [*operands[: self.kept]])
            found = _transposed(pull, self.types, tangents)
        return self.typed(found)

    def typed(self, tangents: Arrays) -> list[Any]:
        """Return the tangents of the results with the results' types."""
        return [as_cotangent(t, TypeOf(aval)) for t, aval in zip(tangents, self.types, strict=True)]

    def transposed(self, cotangents: Arrays, operands: Arrays) -> list[Any]:
        """Return the cotangents of the operands. An operand that is not a tangent gets None."""
        found = self.pull([*operands[: self.kept]], self.zeroed(cotangents))
        pairs = zip(found, operands[len(operands) - self.moving :], strict=True)
        made = [ad.Zero(x.aval) if ct is None else ct for ct, x in pairs]
        return [None] * (len(operands) - self.moving) + made

    def zeroed(self, cotangents: Arrays) -> list[Any]:
        """Return `cotangents`, with missing cotangents replaced by the zeros that `pull` expects."""
        zero = SymbolicZero if self.symbolic_zeros else ad.zeros_like_aval
        zeros = (ad.Zero, SymbolicZero)
        return [zero(ct.aval) if isinstance(ct, zeros) else ct for ct in cotangents]

    def to_transpose(self) -> Linear:
        """Return a copy of this map that can only be transposed. The copy lacks the inputs that
        only `push` reads.
        """
        return replace(self, places=(), push=None)

    def batched(self, axis: Any, dims: Sequence[int | None]) -> Linear:
        """Return the map for operands with a batch axis. `dims` has the position of this axis in
        each operand, or None.
        """
        inputs, kept = [dims[place] for place in self.places], [*dims[: self.kept]]
        return replace(
            self,
            push=self.push and over(axis, self.push, (inputs, 0)),
            pull=over_axis(axis, self.pull, kept),
            types=[longer(axis, aval) for aval in self.types],
        )


def _transposed(pull: Callable[..., Any], types: Arrays, tangents: Arrays) -> list[Any]:
    """Return the transpose of `pull`, which takes arrays of `types`. A result that is None counts
    as zero.
    """

    def function(*cotangents: Any) -> Any:
        return pull([*cotangents])

    zero = [ct is None for ct in jax.eval_shape(function, *types)]
    given = [None if is_zero else t for is_zero, t in zip(zero, tangents)]
    return list(jax.linear_transpose(function, *types)(given))


_tangents = Primitive("tangents")


def _bind(operands: Arrays, linear: Linear) -> Any:
    return _tangents.bind(*operands, linear=linear, partitioned=_partitioned())


@functools.cache
def _partitioned() -> ClosedJaxpr:
    """Return an empty partitioned program, which JAX needs to lower this primitive.

    JAX searches the parameters of a primitive for a partitioned program. Without one, lowering
    cannot determine the devices.
    """
    function = custom_partitioning(lambda x: x)
    function.def_partition(partition=None, sharding_rule="i -> i")
    return jax.make_jaxpr(function)(jax.ShapeDtypeStruct((1,), "float32"))


def _jvp(primals: Arrays, tangents: Arrays, *, linear: Linear, **_: Any) -> Any:
    given = tuple(map(ad.instantiate_zeros, tangents))
    return jax.jvp(linear, tuple(primals), given)


def _transpose(cotangents: Arrays, *operands: Any, linear: Linear, **_: Any) -> list[Any]:
    return linear.transposed(cotangents, operands)


def _batch(
    axis: Any, operands: Arrays, dims: Sequence[int | None], *, linear: Linear, **_: Any
) -> Any:
    if all(dim is None for dim in dims):
        made = _bind(operands, linear)
        return made, [None] * len(made)
    first = len(operands) - linear.moving
    # A tangent that all indices share gets a dim too, so that its cotangents are summed.
    moved = [
        x if dim is None and n < first else at_front(axis, x, dim)
        for n, (x, dim) in enumerate(zip(operands, dims))
    ]
    grown = linear.batched(axis, [None if dim is None else 0 for dim in dims])
    made = _bind(moved, grown)
    return made, [0] * len(made)


def _partial_eval(trace: Any, *operands: Any, linear: Linear, **_: Any) -> Any:
    """Drop inputs that the backward does not read, so that they do not stay in memory until it
    runs.
    """
    first = len(operands) - linear.moving
    as_usual = [x.is_known() for x in operands] == [n < first for n in range(len(operands))]
    if as_usual and linear.kept < first:
        operands, linear = (*operands[: linear.kept], *operands[first:]), linear.to_transpose()
    params = {"linear": linear, "partitioned": _partitioned()}
    return trace.default_process_primitive(_tangents, operands, params)


_tangents.multiple_results = True
_tangents.def_impl(lambda *operands, linear, **_: linear(*operands))
_tangents.def_abstract_eval(lambda *_, linear, **__: linear.types)
mlir.register_lowering(
    _tangents,
    mlir.lower_fun(lambda *operands, linear, **_: linear(*operands), multiple_results=True),
)
ad.primitive_jvps[_tangents] = _jvp
ad.primitive_transposes[_tangents] = _transpose
batching.fancy_primitive_batchers[_tangents] = _batch
pe.custom_partial_eval_rules[_tangents] = _partial_eval
