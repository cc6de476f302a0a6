"""Differentiation of an op: in reverse mode by the spec's rule, in forward mode by the reference.

`jax.custom_vjp` does not support forward mode. So a primitive of this module computes the tangents
of a call. Reverse mode transposes the primitive, and forward mode evaluates it.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
from jax.custom_derivatives import CustomVJPPrimal, SymbolicZero
from jax.extend.core import Primitive
from jax.interpreters import ad, batching, mlir

from . import transposition
from .arrays import auto_axes, numpy_promotion
from .batching import call as call_kernel
from .gradients import type_of, unread
from .kernel import Kernel
from .references import xp
from .sharding import PLACED
from .tangents import Linear

Function = Callable[..., Any]
Arrays = Sequence[Any]


class Differentiable:
    """A function that runs an op by its kernel, with differentiation rules.

    Its arguments are the inputs, then the static arguments: attrs, and the requested results.
    """

    def __init__(self, kernel: Kernel) -> None:
        self.kernel = kernel
        self.forward_mode = False
        self.reference: Function | None = None
        self.constant: Sequence[str] = ()
        self.unread: Sequence[str] = ()

    def defvjp(self, forward: Function, backward: Function, symbolic_zeros: bool = False) -> None:
        """Set the rule of reverse mode, like `defvjp` of a `jax.custom_vjp`."""
        self.forward, self.backward, self.symbolic_zeros = forward, backward, symbolic_zeros

    def defjvp(
        self,
        reference: Function | None = None,
        constant: Sequence[str] = (),
        unread: Sequence[str] = (),
    ) -> None:
        """Set the function that forward mode differentiates: `reference(xp, *inputs, **attrs)`.

        Without a reference, the reverse-mode rule consists of formulas, and JAX transposes it for
        forward mode. `constant` lists the outputs without a tangent. `unread` lists inputs that are
        computed from other inputs. The reference must not read them, because the tangents would be
        wrong.
        """
        self.forward_mode = True
        self.reference, self.constant, self.unread = reference, constant, unread

    @functools.cached_property
    def _op(self) -> Function:
        def function(*args: Any) -> Any:
            return self._call(*args)

        kernel = self.kernel
        function.__name__ = f"_{kernel.core.name}_op"  # the name in a jaxpr
        count = len(kernel.arguments)
        static = range(count, count + len(kernel.options) + bool(kernel.on_request) + 1)
        op = jax.custom_jvp(function, nondiff_argnums=tuple(static))
        op.defjvp(self._rule, symbolic_zeros=True)
        return op

    def __call__(self, *args: Any) -> Any:
        return self._op(*args, PLACED.value)  # JAX may run the rule outside of the context

    def _call(self, *args: Any) -> Any:
        """Return the results of a call, in a form that JAX can transpose."""
        count = len(self.kernel.arguments)
        inputs, static = args[:count], args[count:]
        tree: Any
        operands, tree = jax.tree.flatten(inputs)
        avals = [jax.typeof(x) for x in operands]
        found: Any = None

        def function(*operands: Any) -> list[Any]:
            nonlocal found
            attrs = dict(zip((*self.kernel.options, "wanted"), static[:-1]))
            with PLACED(static[-1]):
                made = call_kernel(self.kernel, *tree.unflatten(operands), **attrs)
            leaves, found = jax.tree.flatten(made)
            return leaves

        def call(*operands: Any) -> list[Any]:
            return jax.tree.leaves(self._op(*tree.unflatten(operands), *static))

        def pull(operands: Arrays, cotangents: Arrays) -> list[Any]:
            moves = [x is None for x in operands]

            def by_rule(*zeros: Any) -> list[Any]:
                linear, _, kept, given = at(zeros)
                found = linear.pull(kept, linear.zeroed(given))
                return [ct for ct in found if ct is not None]

            def by_reference(*zeros: Any) -> Any:
                linear, primals, _, given = at(zeros)
                tangents = [aval.to_tangent_aval() for aval in types]
                push = lambda *ts: linear.typed(linear.push(primals, ts))
                transpose = jax.linear_transpose(push, *tangents)
                return transpose([*map(_instantiated, given)])

            def at(zeros: Arrays) -> Any:
                made = iter(zeros)
                primals = [next(made) if x is None else x for x in operands]
                _, moving, kept, linear = self._linearized(primals, tree, static, moves)
                pairs = zip(cotangents, jax.tree.leaves(moving))
                return linear, primals, kept, [ct for ct, has in pairs if has]

            every = zip(self.kernel.arguments, inputs)
            names = [name for name, x in every for _ in jax.tree.leaves(x)]
            of = [name for name, moved in zip(names, moves) if moved]
            types = [aval for aval, moved in zip(avals, moves) if moved]
            ways = [by_rule, by_reference] if self.reference else [by_rule]
            return transposition.linear(self.kernel.core.name, of, types, *ways)

        made = transposition.bind(transposition.Transposable(call, pull), function, operands)
        return found.unflatten(made)

    def _rule(self, *args: Any) -> tuple[Any, Any]:
        """Return the results of a call, and their tangents."""
        *static, inputs, tangents = args
        primals, tree = jax.tree.flatten(tuple(inputs))
        given = jax.tree.leaves(tuple(tangents))
        moves = [not isinstance(tangent, SymbolicZero) for tangent in given]
        results, moving, kept, linear = self._linearized(primals, tree, static, moves)
        made = iter(linear.of(kept, primals, [t for t, has in zip(given, moves) if has]))

        def tangent(result: Any, moves: bool) -> Any:
            return next(made) if moves else SymbolicZero(jax.typeof(result).to_tangent_aval())

        return results, jax.tree.map(tangent, results, moving)

    def _linearized(
        self, primals: Arrays, tree: Any, static: Arrays, moves: Sequence[bool]
    ) -> tuple[Any, Any, list[Any], Linear]:
        """Return four things: the results, which of them have tangents, the saved values of the
        backward, and the tangent map.

        The map takes the tangents of those primals that have one.
        """
        kept_tree: Any
        inputs = primals
        if self.symbolic_zeros:
            inputs = [*map(CustomVJPPrimal, primals, moves)]
        *static, placed = static
        with PLACED(placed):
            results, saved = self.forward(*tree.unflatten(inputs), *static)
        kept, kept_tree = jax.tree.flatten(saved)
        moving = self._moving(results)
        pairs = zip(jax.tree.leaves(results), jax.tree.leaves(moving))
        with_tangent = [jax.typeof(y).to_tangent_aval() for y, has in pairs if has]

        def push(primals: Arrays, tangents: Arrays) -> list[Any]:
            made = iter(tangents)
            every = [next(made) if has else _still(x) for x, has in zip(primals, moves)]

            def function(*primals: Any) -> list[Any]:
                return self._run_reference(tree.unflatten(primals), static, moving)

            with auto_axes(primals):
                found: list[Any] = jax.jvp(function, tuple(primals), tuple(every))[1]
            residuals = [jnp.zeros(t.shape, t.dtype) for t in with_tangent[len(found) :]]
            return found + residuals

        def pull(kept: Arrays, cotangents: Arrays) -> list[Any]:
            made = iter(cotangents)
            each = jax.tree.map(lambda has: next(made) if has else None, moving)
            found = self.backward(*static, kept_tree.unflatten(kept), each)
            nothing = tree.unflatten([None] * len(moves))  # one for each array of a list
            found = [n if ct is None else ct for ct, n in zip(found, nothing)]
            return [ct for ct, has in zip(tree.flatten_up_to(tuple(found)), moves) if has]

        linear = Linear(
            push if self.reference else None,
            pull,
            with_tangent,
            self.symbolic_zeros,
            self.kernel.core.name,
            "" if self.forward_mode else "no forward-mode derivative: use reverse mode",
        )
        return results, moving, kept, linear

    def _moving(self, results: Sequence[Any]) -> tuple[Any, ...]:
        """Return, for each array of the results, whether it has a tangent.

        Residuals have a tangent. So a backward that reads a residual is also differentiated, and
        raises an error if it has no gradient.
        """
        names = (*self.kernel.results, *[""] * (len(results) - len(self.kernel.results)))
        return tuple(
            jax.tree.map(lambda y: name not in ("", *self.constant) and _moves(y), result)
            for name, result in zip(names, results)
        )

    def _run_reference(self, inputs: Any, static: Arrays, moving: Sequence[Any]) -> list[Any]:
        """Run the reference. Of the arrays in its outputs, return those that have a tangent."""
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
        shown = moving[: len(kernel.results) - len(kernel.facts.residuals)]
        pairs = [zip(jax.tree.leaves(y), jax.tree.leaves(has)) for y, has in zip(outputs, shown)]
        return [y for pair in pairs for y, has in pair if has]


def _moves(y: Any) -> bool:
    return bool(jnp.issubdtype(y.dtype, jnp.inexact))


def _instantiated(ct: Any) -> Any:
    """Return a cotangent as an array."""
    return ad.zeros_like_aval(ct.aval) if isinstance(ct, SymbolicZero) else ct


def _still(x: Any) -> Any:
    """Return a zero tangent for an input that is not differentiated."""
    return ad.instantiate_zeros(ad.Zero(jax.typeof(x).to_tangent_aval()))


def no_gradient(op: str, *inputs: Any, of: str = "") -> tuple[Any, ...]:
    """Return `inputs` unchanged. If one of them is differentiated, in reverse or forward mode,
    raise a TypeError that names `op`.
    """
    refusal = f"{op}: {f'{of}: ' if of else ''}the spec gives no gradient"
    bind = functools.partial(_constant.bind, refusal=refusal)
    found: tuple[Any, ...] = jax.tree.map(bind, inputs)
    return found


_constant = Primitive("no_gradient")


def _refuse(primals: Any, tangents: Any, *, refusal: str) -> Any:
    if type(tangents[0]) is not ad.Zero:
        raise TypeError(refusal)
    return _constant.bind(*primals, refusal=refusal), tangents[0]


def _refuse_to_transpose(*_: Any, refusal: str) -> Any:
    raise TypeError(refusal)


_constant.def_impl(lambda x, **_: x)
_constant.def_abstract_eval(lambda x, **_: x)
mlir.register_lowering(_constant, lambda context, x, **_: [x])
batching.primitive_batchers[_constant] = lambda x, dims, **params: (
    _constant.bind(*x, **params),
    dims[0],
)
ad.primitive_jvps[_constant] = _refuse
ad.primitive_transposes[_constant] = _refuse_to_transpose
