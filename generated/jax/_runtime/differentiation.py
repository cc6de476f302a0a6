"""Refuses what an op cannot be differentiated by, in its own name. Rendered by opgen.

`jax.custom_vjp` refuses forward mode without saying for which op. So the inputs of an op
pass through an identity of its own. Its tangent is the identity too: with a transpose, which
is all that reverse mode asks of it, but without an implementation.
"""

from __future__ import annotations

import functools
from typing import Any

import jax
from jax.extend.core import Primitive
from jax.interpreters import ad, batching, mlir

_identity = Primitive("differentiable")
_tangent = Primitive("tangent")


def reverse_mode_only(op: str, *inputs: Any) -> tuple[Any, ...]:
    """`inputs` (arrays, lists of them, None), of which no tangent can be computed.

    Raises TypeError, which names `op`, when one is.
    """
    refusal = f"{op}: forward-mode differentiation is not supported: use reverse mode"
    bind = functools.partial(_identity.bind, refusal=refusal, reverse=True)
    found: tuple[Any, ...] = jax.tree.map(bind, inputs)
    return found


def no_gradient(op: str, *inputs: Any, of: str = "") -> tuple[Any, ...]:
    """`inputs`; differentiating by one, in either mode, is a TypeError that names `op`."""
    refusal = f"{op}: {f'{of}: ' if of else ''}the spec gives no gradient"
    bind = functools.partial(_identity.bind, refusal=refusal, reverse=False)
    found: tuple[Any, ...] = jax.tree.map(bind, inputs)
    return found


def _refuse(*_: Any, refusal: str, **__: Any) -> Any:
    raise TypeError(refusal)


def _jvp(primals: Any, tangents: Any, *, refusal: Any, reverse: Any) -> Any:
    (x,), (tangent,) = primals, tangents
    if type(tangent) is not ad.Zero:
        if not reverse:
            raise TypeError(refusal)
        tangent = _tangent.bind(tangent, refusal=refusal)
    return _identity.bind(x, refusal=refusal, reverse=reverse), tangent


def _batch(operands: Any, dims: Any, **params: Any) -> Any:
    return _identity.bind(*operands, **params), dims[0]


_identity.def_impl(lambda x, **_: x)
_identity.def_abstract_eval(lambda x, **_: x)
mlir.register_lowering(_identity, lambda context, x, **_: [x])
batching.primitive_batchers[_identity] = _batch
ad.primitive_jvps[_identity] = _jvp

_tangent.def_impl(_refuse)
_tangent.def_abstract_eval(lambda x, **_: x)
mlir.register_lowering(_tangent, _refuse)
batching.primitive_batchers[_tangent] = _refuse
ad.primitive_jvps[_tangent] = _refuse
ad.primitive_transposes[_tangent] = lambda cotangent, x, **_: [cotangent]
