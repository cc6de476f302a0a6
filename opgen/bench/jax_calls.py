"""Calls of an op and its peers in JAX, ready to be timed. Each call waits for its results."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from opgen.bench.agreement import Found
from opgen.bench.peers import OWN
from opgen.bench.probe import Rate
from opgen.bench.work import differentiable
from opgen.testing.arrays import mapped, tupled
from opgen.testing.environment import Case, environment
from opgen.testing.namespaces import jax_namespace
from opgen.testing.op_under_test import OpUnderTest

Function = Callable[..., object]
Call = Callable[[], object]


class JaxCalls:
    """Calls of one op and its peers in JAX, at one size, on one device.

    A gradient is measured together with its forward in one jit, as in real programs.
    """

    directions = ("forward", "forward+backward")
    forward_only: frozenset[str] = frozenset()
    self_timed = False

    def __init__(self, subject: OpUnderTest, case: Case, device: str) -> None:
        self.subject, self.case = subject, case
        self.device = _device(device)
        self.updated = [n for n, t in enumerate(subject.op.inputs) if t.update]

    @staticmethod
    def prepare(threads: int, device: str) -> None:
        """Configure JAX for measuring on `device`. Raises LookupError if the device is missing.

        `threads` is not used: the CPUs of the process determine JAX's number of threads.
        """
        jax.config.update("jax_default_device", _device(device))

    @staticmethod
    def rates() -> Mapping[str, Rate]:
        """Return an empty table of rates, because JAX gives no access to the clock of a device."""
        return {}

    def inputs(self, arrays: Sequence[Any]) -> list[Any]:
        return mapped(lambda x: jax.device_put(jnp.asarray(x), self.device), arrays)

    def saved_bytes(self, functions: Mapping[str, Function], inputs: list[Any]) -> int:
        """Return 0, because the forward and the backward run in one program and save no arrays."""
        return 0

    def own(self) -> Function:
        """Return the op as a function of its inputs only, with the attrs of the case."""
        return partial(self.subject.wrapper("jax"), **dict(self.case.attrs))

    def functions(self, peers: Mapping[str, Function]) -> dict[str, Function]:
        """Return the functions to measure: the op, the peers of the project, and the reference."""
        subject = self.subject
        values = environment(subject.op, self.case)
        attrs = {attr.name: values[attr.name] for attr in subject.op.attrs}
        found: dict[str, Function] = {OWN: self.own()}
        found |= {name: partial(peer, **attrs) for name, peer in peers.items()}
        if subject.reference is not None:
            found["jitted jnp"] = partial(self._reference, attrs)
        return found

    def _reference(self, attrs: Mapping[str, object], *inputs: object) -> tuple[Any, ...]:
        return self.subject.results_of(self.subject.reference(jax_namespace(), *inputs, **attrs))

    def forward(self, function: Function, sets: Sequence[list[Any]], turns: Iterator[int]) -> Call:
        """Return a function that calls `function` on the next set of inputs."""
        if self.updated:
            return self._updating(function, sets, turns)
        jitted = jax.jit(function)
        return lambda: jax.block_until_ready(jitted(*sets[next(turns)]))

    def backward(self, function: Function, sets: Sequence[list[Any]], turns: Iterator[int]) -> Call:
        """Return a function that computes the results and the inputs' gradients."""
        places = differentiable(self.subject.op, self.case)
        jitted = jax.jit(partial(_with_gradient, function, places))
        own = [(inputs, _cotangents(function, inputs)) for inputs in sets]
        return lambda: jax.block_until_ready(jitted(*own[next(turns)]))

    def timed(self, call: Call) -> Call:
        return call

    def copies(self, inputs: list[Any]) -> list[Any]:
        """Return the inputs themselves, because no call in JAX changes its inputs."""
        return inputs

    def results(self, function: Function, inputs: list[Any]) -> list[Found]:
        """Return the results of a call."""
        given = jax.jit(function)(*inputs)
        filled = self.subject.filled(tupled(given))
        leaves = jax.tree.leaves(filled)
        wide = (np.asarray(y.astype(jnp.float32)).astype(np.float64) for y in leaves)
        return [Found(y.shape, str(y.dtype), x) for y, x in zip(leaves, wide)]

    def _updating(
        self, function: Function, sets: Sequence[list[Any]], turns: Iterator[int]
    ) -> Call:
        """Return a call that donates its updated inputs and replaces them with the results."""
        updated = self.updated
        jitted = jax.jit(function, donate_argnums=tuple(updated))
        own = [list(inputs) for inputs in sets]
        for inputs in own:
            for place in updated:
                inputs[place] = jax.tree.map(jnp.copy, inputs[place])

        def step() -> None:
            inputs = own[next(turns)]
            results = tupled(jax.block_until_ready(jitted(*inputs)))
            for place, new in zip(updated, results[len(results) - len(updated) :]):
                inputs[place] = new

        return step


def _device(platform: str) -> jax.Device:
    """Return the first device that runs the kernels of `platform`."""
    try:
        return jax.devices("rocm" if platform == "hip" else platform)[0]
    except RuntimeError as error:
        raise LookupError(f"JAX finds no {platform} device") from error


def _with_gradient(
    function: Function, places: Sequence[int], inputs: list[Any], cotangents: object
) -> object:
    """Return a function that returns the results, and the gradients of some inputs.

    `places` are the indices of these inputs.
    """

    def of_floating(*active: object) -> object:
        full = list(inputs)
        for place, x in zip(places, active, strict=True):
            full[place] = x
        return function(*full)

    found, pull = jax.vjp(of_floating, *(inputs[n] for n in places))
    return found, pull(cotangents)


def _cotangents(function: Function, inputs: list[Any]) -> object:
    key = jax.random.key(0)

    def cotangent(y: jax.ShapeDtypeStruct) -> object:
        if not jnp.issubdtype(y.dtype, jnp.floating):
            return np.zeros(y.shape, jax.dtypes.float0)
        return jax.random.normal(key, y.shape, jnp.float32).astype(y.dtype)

    return jax.tree.map(cotangent, jax.eval_shape(function, *inputs))
