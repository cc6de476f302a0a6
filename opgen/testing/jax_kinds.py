"""Check which types of arguments the rendered JAX wrapper accepts and rejects."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from opgen.testing import kinds
from opgen.testing.arrays import mapped
from opgen.testing.calls import simple
from opgen.testing.draw import draw
from opgen.testing.environment import numpy_dtype
from opgen.testing.jax_checks import precision, same_bits
from opgen.testing.op_under_test import OpUnderTest


class Held:
    """An object that contains an array without being one, like a parameter of a neural network."""

    def __init__(self, array: jax.Array) -> None:
        self.array = array

    def __jax_array__(self) -> jax.Array:
        return self.array


@jax.tree_util.register_pytree_node_class
class Node(Held):
    """A container of an array that `jax.jit` flattens, because it is a registered pytree node."""

    def tree_flatten(self) -> Any:
        return (self.array,), None

    @classmethod
    def tree_unflatten(cls, _: Any, children: Any) -> Any:
        return cls(*children)


def foreign() -> kinds.Foreign:
    """Return JAX values of a wrong type, for each type of parameter."""
    never = (jnp.float32, jnp.float32(1), jnp.ones(2), np.ones(2), jnp.asarray(True))
    return {
        "float": never,
        "int": (*never, jnp.asarray(1)),
        "bool": never,
        "str": never,
        "dtype": (*never[1:], "float99"),
        "tensor": (jax.random.key(0),),
        "seed": (jax.random.split(jax.random.key(0)),),
        "complex": (jnp.ones((2, 2), jnp.complex64),),
        "list": (jnp.ones((2, 2)), np.ones((2, 2))),
    }


def refused(subject: OpUnderTest) -> None:
    """Check that parameters reject values of a wrong type, in eager calls and while tracing."""
    case, name, wrong = simple(subject), subject.name, foreign()
    wrapper, given = subject.wrapper("jax"), dict(case.attrs)
    with jax.enable_x64(True):
        good = mapped(jax.device_put, draw(subject.op, case))
        for argument, inputs in kinds.wrong_inputs(subject.op, good, wrong):
            kinds.refused(name, argument, lambda: wrapper(*inputs, **given))
        for argument, value in kinds.wrong_attrs(subject.op, wrong):
            attrs = {**given, argument: value}
            kinds.refused(name, argument, lambda: wrapper(*good, **attrs))
            traced = lambda *xs: wrapper(*xs, **attrs)  # noqa: E731
            kinds.refused(name, argument, lambda: jax.eval_shape(traced, *good))
        if subject.op.outputs_on_request:
            named: tuple[object, ...] = ("text", 5, None, ["none"], [[]])
            for wanted in named:
                call = lambda: wrapper(*good, **given, wanted=wanted)  # noqa: E731
                kinds.refused(name, "wanted", call)


def taken(subject: OpUnderTest) -> None:
    """Check that inputs accept objects that contain arrays, and that attrs accept NumPy scalars."""
    case = simple(subject)
    given = dict(case.attrs)
    with precision(subject, case):
        arrays = mapped(jax.device_put, draw(subject.op, case))
        wanted = subject.wrapper("jax")(*arrays, **given)
        kept = (np.asarray, Held, Node)
        calls = [(f"inputs as {k.__name__}", mapped(k, arrays), given) for k in kept]
        for name, value in kinds.right_attrs(subject.op, given):
            for right in kinds.alike(value, lambda _: value, _dtypes):
                calls.append((f"{name}={right!r}", arrays, {**given, name: right}))
        for what, inputs, attrs in calls:
            got = subject.wrapper("jax")(*inputs, **attrs)
            leaves = zip(jax.tree.leaves(got), jax.tree.leaves(wanted), strict=True)
            for n, (a, b) in enumerate(leaves):
                same_bits(a, b, f"result {n} with {what}")


def _dtypes(name: str) -> list[Any]:
    dtype = numpy_dtype(name)
    return [name, dtype, dtype.name, dtype.type]
