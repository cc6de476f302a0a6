"""Check which types of arguments the rendered JAX wrapper accepts and rejects."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
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
    case, wrapper = simple(subject), subject.wrapper("jax")
    with jax.enable_x64(True):
        good = mapped(jax.device_put, draw(subject.op, case))

        def traced(attrs: Mapping[str, Any]) -> Any:
            return jax.eval_shape(partial(wrapper, **attrs), *good)

        kinds.all_refused(subject.op, wrapper, good, dict(case.attrs), foreign(), traced)
        if subject.op.outputs_on_request:
            call = partial(wrapper, *good, **dict(case.attrs), wanted=[[]])
            kinds.refused(subject.name, "wanted", call)


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
            for n, pair in enumerate(leaves):
                same_bits(*pair, f"result {n} with {what}")


def _dtypes(name: str) -> list[Any]:
    dtype = numpy_dtype(name)
    return [name, dtype, dtype.name, dtype.type]
