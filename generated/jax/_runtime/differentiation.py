"""How an op is differentiated: in reverse mode by the spec's rule, in forward mode by its
reference. Rendered by opgen.

`jax.custom_vjp` has no forward mode. Here the tangents of a call are results of a primitive:
reverse mode transposes it, forward mode evaluates it.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import jax
import jax.numpy as jnp
from jax.custom_derivatives import CustomVJPPrimal, SymbolicZero
from jax.extend.core import Primitive
from jax.interpreters import ad, batching, mlir
from jax.interpreters import partial_eval as pe

from .arrays import numpy_promotion
from .gradients import TypeOf, as_cotangent, type_of, unread
from .kernel import Kernel
from .references import xp

Function = Callable[..., Any]
Arrays = Sequence[Any]


class Differentiable:
    """An op with its rules; `function` calls it, with its inputs and then what is static."""

    def __init__(self, kernel: Kernel, function: Function) -> None:
        functools.update_wrapper(self, function)
        self.kernel, self.function = kernel, function
        self.forward_mode = False
        self.reference: Function | None = None
        self.constant: Sequence[str] = ()
        self.unread: Sequence[str] = ()

    def defvjp(self, forward: Function, backward: Function, symbolic_zeros: bool = False) -> None:
        """Set the rule of reverse mode, as that of a `jax.custom_vjp`."""
        self.forward, self.backward, self.symbolic_zeros = forward, backward, symbolic_zeros

    def defjvp(
        self,
        reference: Function | None = None,
        constant: Sequence[str] = (),
        unread: Sequence[str] = (),
    ) -> None:
        """Set what forward mode differentiates: `reference(xp, *inputs, **attrs)`.

        None: the rule of reverse mode, made of formulas, is transposed. `constant` are the
        outputs without a tangent, `unread` the inputs that follow from others: the tangents
        would be wrong if the reference read them.
        """
        self.forward_mode = True
        self.reference, self.constant, self.unread = reference, constant, unread

    @functools.cached_property
    def _op(self) -> Function:
        static = range(len(self.kernel.arguments), self.function.__code__.co_argcount)
        op = jax.custom_jvp(self.function, nondiff_argnums=tuple(static))
        op.defjvp(self._rule, symbolic_zeros=True)
        return op

    def __call__(self, *args: Any) -> Any:
        return self._op(*args)

    def _rule(self, *args: Any) -> tuple[Any, Any]:
        """The results of a call, and their tangents."""
        kernel, (*static, inputs, tangents) = self.kernel, args
        tree: Any
        kept_tree: Any
        primals, tree = jax.tree.flatten(tuple(inputs))
        given = jax.tree.leaves(tuple(tangents))
        moves = [not isinstance(tangent, SymbolicZero) for tangent in given]
        if self.symbolic_zeros:
            inputs = tree.unflatten(map(CustomVJPPrimal, primals, moves))
        results, saved = self.forward(*inputs, *static)
        kept, kept_tree = jax.tree.flatten(saved)
        moving = self._moving(results)
        types = jax.tree.map(lambda y: jax.typeof(y).to_tangent_aval(), results)
        pairs = zip(jax.tree.leaves(types), jax.tree.leaves(moving))
        with_tangent = [t for t, has in pairs if has]

        def push(primals: Arrays, tangents: Arrays) -> list[Any]:
            made = iter(tangents)
            every = [next(made) if has else _still(x) for x, has in zip(primals, moves)]

            def function(*primals: Any) -> list[Any]:
                return self._run_reference(tree.unflatten(primals), static, moving)

            found: list[Any] = jax.jvp(function, tuple(primals), tuple(every))[1]
            residuals = [jnp.zeros(t.shape, t.dtype) for t in with_tangent[len(found) :]]
            return found + residuals

        def pull(kept: Arrays, cotangents: Arrays) -> list[Any]:
            made = iter(cotangents)
            each = jax.tree.map(lambda has: next(made) if has else None, moving)
            found = self.backward(*static, kept_tree.unflatten(kept), each)
            nothing = tree.unflatten([None] * len(moves))  # of a list: for each of its tensors
            found = [n if ct is None else ct for ct, n in zip(found, nothing)]
            return [ct for ct, has in zip(tree.flatten_up_to(tuple(found)), moves) if has]

        linear = Linear(
            push if self.reference else None,
            pull,
            with_tangent,
            self.symbolic_zeros,
            kernel.core.name,
            "" if self.forward_mode else "no forward-mode derivative: use reverse mode",
        )
        made = iter(linear.of(kept, primals, [t for t, has in zip(given, moves) if has]))
        every = jax.tree.map(lambda t, has: next(made) if has else SymbolicZero(t), types, moving)
        return results, every

    def _moving(self, results: Sequence[Any]) -> tuple[Any, ...]:
        """For each array of the results whether it has a tangent.

        Residuals have: a backward that reads one is then differentiated, and says whether it may.
        """
        names = (*self.kernel.results, *[""] * (len(results) - len(self.kernel.results)))
        return tuple(
            jax.tree.map(lambda y: name not in ("", *self.constant) and _moves(y), result)
            for name, result in zip(names, results)
        )

    def _run_reference(self, inputs: Any, static: Arrays, moving: Sequence[Any]) -> list[Any]:
        """Those arrays of the reference's outputs that have a tangent."""
        kernel = self.kernel
        op, attrs = kernel.core.name, dict(zip(kernel.options, static))
        given = [
            unread(op, name, type_of(x)) if name in self.unread else x
            for name, x in zip(kernel.arguments, inputs)
        ]
        assert self.reference is not None
        with numpy_promotion():
            found = self.reference(xp, *given, **attrs)
        outputs = found if isinstance(found, tuple) else (found,)
        shown = moving[: len(kernel.results) - kernel.residuals]
        pairs = [zip(jax.tree.leaves(y), jax.tree.leaves(has)) for y, has in zip(outputs, shown)]
        return [y for pair in pairs for y, has in pair if has]


@dataclass(frozen=True, eq=False)
class Linear:
    """A map from the tangents of an op's inputs to those of its results, as operands.

    `push` computes it from the inputs and their tangents; `pull`, its transpose, from what
    the backward keeps and the cotangents of the results, whose types are `types`. Without
    `push`, `pull` is transposed; with a `refusal` neither is.

    The operands are first `kept` arrays, then those inputs that are not among them, then
    `moving` tangents; `places` are those of the inputs.
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
        """The tangents of the results."""
        operands, places = [*kept], []
        for x in inputs:
            found = (n for n, y in enumerate(operands) if y is x)
            places.append(next(found, len(operands)))
            if places[-1] == len(operands):
                operands.append(x)
        linear = replace(self, kept=len(kept), places=tuple(places), moving=len(tangents))
        made: list[Any] = _tangents.bind(*operands, *tangents, linear=linear)
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
        return [as_cotangent(t, TypeOf(aval)) for t, aval in zip(found, self.types, strict=True)]

    def transposed(self, cotangents: Arrays, operands: Arrays) -> list[Any]:
        """The cotangents of the operands; None of what is none of the tangents."""
        zero = SymbolicZero if self.symbolic_zeros else ad.zeros_like_aval
        given = [zero(ct.aval) if type(ct) is ad.Zero else ct for ct in cotangents]
        found = self.pull([*operands[: self.kept]], given)
        pairs = zip(found, operands[len(operands) - self.moving :], strict=True)
        made = [ad.Zero(x.aval) if ct is None else ct for ct, x in pairs]
        return [None] * (len(operands) - self.moving) + made

    def to_transpose(self) -> Linear:
        """The same, to which the inputs need not be kept."""
        refusal = (
            "the backward keeps less than forward mode needs: use `jax.jvp`, not `jax.linearize`"
        )
        return replace(self, places=(), refusal=self.refusal or refusal)

    def batched(self, axis: Any, dims: Sequence[int | None]) -> Linear:
        """The same for operands with one more dim: the first, or None for those without it."""
        grow = functools.partial(
            jax.vmap, axis_name=axis.name, axis_size=axis.size, spmd_axis_name=axis.spmd_name
        )
        inputs, kept = [dims[place] for place in self.places], [*dims[: self.kept]]

        def longer(aval: Any) -> Any:
            spec = jax.P(axis.explicit_mesh_axis, *aval.sharding.spec)
            sharding = aval.sharding.update(spec=spec)
            return aval.update(shape=(axis.size, *aval.shape), sharding=sharding)

        def pull(operands: Arrays, cotangents: Arrays) -> list[Any]:
            # A symbolic zero is no array, and `vmap` takes only these.
            arrays = [ct for ct in cotangents if type(ct) is not SymbolicZero]

            def of_one(operands: Arrays, arrays: Arrays) -> list[Any]:
                made, pairs = iter(arrays), zip(cotangents, self.types)
                given = [
                    SymbolicZero(t) if type(ct) is SymbolicZero else next(made) for ct, t in pairs
                ]
                return self.pull(operands, given)

            found: list[Any] = grow(of_one, in_axes=(kept, 0))(operands, arrays)
            return found

        return replace(
            self,
            push=self.push and grow(self.push, in_axes=(inputs, 0)),
            pull=pull,
            types=[*map(longer, self.types)],
        )


def _moves(y: Any) -> bool:
    return bool(jnp.issubdtype(y.dtype, jnp.inexact))


def _still(x: Any) -> Any:
    """The tangent of an input that does not move."""
    return ad.instantiate_zeros(ad.Zero(jax.typeof(x).to_tangent_aval()))


def _transposed(pull: Function, types: Arrays, tangents: Arrays) -> list[Any]:
    """The transpose of `pull`, which takes arrays of `types`; None among its results is zero."""

    def function(*cotangents: Any) -> Any:
        return pull([*cotangents])

    zero = [ct is None for ct in jax.eval_shape(function, *types)]
    given = [None if is_zero else t for is_zero, t in zip(zero, tangents)]
    return list(jax.linear_transpose(function, *types)(given))


_tangents = Primitive("tangents")


def _jvp(primals: Arrays, tangents: Arrays, *, linear: Linear) -> Any:
    given = tuple(map(ad.instantiate_zeros, tangents))
    return jax.jvp(linear, tuple(primals), given)


def _transpose(cotangents: Arrays, *operands: Any, linear: Linear) -> list[Any]:
    return linear.transposed(cotangents, operands)


def _batch(axis: Any, operands: Arrays, dims: Sequence[int | None], *, linear: Linear) -> Any:
    if all(dim is None for dim in dims):
        made = _tangents.bind(*operands, linear=linear)
        return made, [None] * len(made)
    first = len(operands) - linear.moving
    # A tangent that is the same for all gets a dim too: its cotangents are then summed.
    moved = [
        (
            x
            if dim is None and n < first
            else batching.bdim_at_front(x, dim, axis.size, axis.explicit_mesh_axis)
        )
        for n, (x, dim) in enumerate(zip(operands, dims))
    ]
    grown = linear.batched(axis, [None if dim is None else 0 for dim in dims])
    made = _tangents.bind(*moved, linear=grown)
    return made, [0] * len(made)


def _partial_eval(trace: Any, *operands: Any, linear: Linear) -> Any:
    """What the backward does not read need not stay until it runs."""
    first = len(operands) - linear.moving
    as_usual = [x.is_known() for x in operands] == [n < first for n in range(len(operands))]
    if as_usual and linear.kept < first:
        operands, linear = (*operands[: linear.kept], *operands[first:]), linear.to_transpose()
    return trace.default_process_primitive(_tangents, operands, {"linear": linear})


_tangents.multiple_results = True
_tangents.def_impl(lambda *operands, linear: linear(*operands))
_tangents.def_abstract_eval(lambda *_, linear: linear.types)
mlir.register_lowering(
    _tangents,
    mlir.lower_fun(lambda *operands, linear: linear(*operands), multiple_results=True),
)
ad.primitive_jvps[_tangents] = _jvp
ad.primitive_transposes[_tangents] = _transpose
batching.fancy_primitive_batchers[_tangents] = _batch
pe.custom_partial_eval_rules[_tangents] = _partial_eval


def differentiable(kernel: Kernel) -> Callable[[Function], Differentiable]:
    """The decorator of the function that calls the op of `kernel`."""
    return functools.partial(Differentiable, kernel)


def no_gradient(op: str, *inputs: Any, of: str = "") -> tuple[Any, ...]:
    """`inputs`; differentiating by one, in either mode, is a TypeError that names `op`."""
    refusal = f"{op}: {f'{of}: ' if of else ''}the spec gives no gradient"
    bind = functools.partial(_constant.bind, refusal=refusal)
    found: tuple[Any, ...] = jax.tree.map(bind, inputs)
    return found


_constant = Primitive("no_gradient")


def _refuse(primals: Any, tangents: Any, *, refusal: str) -> Any:
    if type(tangents[0]) is not ad.Zero:
        raise TypeError(refusal)
    return _constant.bind(*primals, refusal=refusal), tangents[0]


_constant.def_impl(lambda x, **_: x)
_constant.def_abstract_eval(lambda x, **_: x)
mlir.register_lowering(_constant, lambda context, x, **_: [x])
batching.primitive_batchers[_constant] = lambda x, dims, **params: (
    _constant.bind(*x, **params),
    dims[0],
)
ad.primitive_jvps[_constant] = _refuse
