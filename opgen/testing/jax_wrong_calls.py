"""Invalid calls in JAX: eager calls, and calls that `jax.jit` traces."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp

from opgen.testing.arrays import applied, flat, mapped
from opgen.testing.calls import simple
from opgen.testing.draw import draw
from opgen.testing.environment import Case
from opgen.testing.op_under_test import OpUnderTest
from opgen.testing.wrong_calls import (
    Tried,
    WrongCall,
    miscounted,
    undifferentiated,
    wrong_calls,
)


def conformance(subject: OpUnderTest) -> None:
    """Check that one invalid call of each kind raises an error that names the wrong argument."""
    failures = refused(subject, [simple(subject)]).failures
    assert not failures, "\n".join(failures)


def refused(subject: OpUnderTest, cases: Iterable[Case], *, few: bool = True) -> Tried:
    """Make invalid calls that differ from `cases` in one argument. Return counts and failures.

    With `few`, most of these calls are only traced.
    """
    tried, name = Tried(), subject.name
    wrapper = subject.wrapper("jax")
    with jax.enable_x64(True):
        for case in cases:
            for wrong in _wrong(subject, case, few):
                run: Callable[..., Any] = partial(wrapper, **wrong.attrs)
                if wrong.kind == "gradient":
                    tried.hold("traced", name, wrong, lambda: _differentiated(subject, run, wrong))
                    continue
                if wrong.kind == "device" or not few:
                    tried.hold("eager", name, wrong, lambda: _awaited(run, wrong))
                if wrong.kind != "device":  # a traced array is not on a device
                    tried.hold("traced", name, wrong, lambda: jax.eval_shape(run, *wrong.inputs))
    return tried


def _awaited(run: Callable[..., Any], wrong: WrongCall) -> Any:
    return jax.block_until_ready(run(*wrong.inputs))


def _differentiated(subject: OpUnderTest, run: Callable[..., Any], wrong: WrongCall) -> Any:
    """Trace the gradient of all floating-point results with respect to the wrong argument."""
    at = [tensor.name for tensor in subject.op.inputs].index(wrong.argument)

    def loss(x: Any) -> Any:
        results = jax.tree.leaves(run(*wrong.inputs[:at], x, *wrong.inputs[at + 1 :]))
        return sum(y.real.sum() for y in results if jnp.issubdtype(y.dtype, jnp.inexact))

    return jax.eval_shape(jax.grad(loss), wrong.inputs[at])


def _wrong(subject: OpUnderTest, case: Case, few: bool) -> Iterator[WrongCall]:
    for wrong in wrong_calls(subject, case, few=few):
        yield replace(wrong, inputs=tuple(mapped(jax.device_put, wrong.inputs)))
    right, attrs = tuple(mapped(jax.device_put, draw(subject.op, case))), dict(case.attrs)
    yield from miscounted(subject, case, right)
    there = [n for n, x in enumerate(right) if x is not None]
    if len(flat(right)) > 1 and not few:
        home, away = jax.devices("cpu")[:2]
        for n in there:
            inputs = mapped(lambda x: jax.device_put(x, home), right)
            inputs[n] = applied(lambda x: jax.device_put(x, away), right[n])
            yield WrongCall("device", subject.op.inputs[n].name, tuple(inputs), attrs)
    for name in undifferentiated(subject, case):
        yield WrongCall("gradient", name, right, attrs)
