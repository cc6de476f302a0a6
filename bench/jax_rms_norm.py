"""Measure rms_norm in JAX: opgen's op, bindings of the same kernels by hand, and the jitted jnp
reference.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from time import perf_counter

import jax
import jax.numpy as jnp

from bench import jax_by_hand
from generated.jax import rms_norm
from generated.reference import rms_norm as reference
from opgen.bench.harness import Claim, Group

Norm = Callable[[jax.Array, jax.Array], jax.Array]
Arrays = tuple[jax.Array, ...]
HAND, JNP, TVM = "ffi_call by hand", "jnp reference", "jax-tvm-ffi"


@jax.jit
def jnp_reference(x: jax.Array, weight: jax.Array) -> jax.Array:
    return reference.rms_norm(jnp, x, weight, eps=1e-5)


def generated(x: jax.Array, weight: jax.Array) -> jax.Array:
    return rms_norm(x, weight, eps=1e-5)


# By mode: the largest allowed ratio of the generated op's time to the time of another function.
EAGER, JITTED, GRADIENT = "eager", "in a user's jit", "forward + backward, jitted"
LIMITS: Mapping[str, Mapping[str, float | None]] = {
    EAGER: {HAND: 1.35, JNP: 1.0},
    JITTED: {HAND: 1.03, JNP: 0.8},
    GRADIENT: {HAND: 1.05, JNP: None},
}


def groups() -> Iterator[Group]:
    small = {"generated": generated, HAND: jax_by_hand.ffi_call(), JNP: jnp_reference}
    tvm = jax_by_hand.tvm()
    if tvm is None:
        print("jax-tvm-ffi is not installed: it is left out\n")
    else:
        small[TVM] = tvm
    yield from _modes(small)
    yield _compiling()


def _modes(norms: Mapping[str, Norm]) -> Iterator[Group]:
    """Yield a group of measurements for each mode: the op alone, within a user's jit, and with its
    gradient.
    """
    x, weight, dy = _operands()
    for mode, wrapped, operands in (
        (EAGER, lambda norm: norm, (x, weight)),
        (JITTED, _jitted, (x, weight)),
        (GRADIENT, _with_gradient, (x, weight, dy)),
    ):
        contestants = {
            name: partial(_finish, wrapped(norm), operands) for name, norm in norms.items()
        }
        limits = dict.fromkeys(name for name in norms if name != "generated")
        limits |= LIMITS[mode]
        claims = [Claim("generated", name, at_most=at) for name, at in limits.items()]
        yield Group(f"JAX rms_norm 8x128 f32, {mode}", contestants, claims, 101)


def _operands() -> Arrays:
    keys = jax.random.split(jax.random.key(0), 3)
    x, dy = (jax.random.normal(key, (8, 128)) for key in keys[:2])
    return x, jax.random.uniform(keys[2], (128,), minval=0.5, maxval=1.5), dy


def _finish(function: Callable[..., object], operands: Arrays) -> None:
    jax.block_until_ready(function(*operands))


def _jitted(norm: Norm) -> Norm:
    return jax.jit(lambda x, weight: norm(x, weight))


def _with_gradient(norm: Norm) -> Callable[..., object]:
    @jax.jit
    def forward_and_backward(x, weight, dy):
        y, pullback = jax.vjp(norm, x, weight)
        return y, pullback(dy)

    return forward_and_backward


def _compiling() -> Group:
    """Measure how long it takes to trace and compile a chain of 100 calls, without a cache."""
    x, weight, _ = _operands()

    def compiling(norm: Norm) -> Callable[[], float]:
        def chain(x, weight):
            for _ in range(100):
                x = norm(x, weight)
            return x

        def once() -> float:
            jax.clear_caches()
            start = perf_counter()
            jax.jit(chain).lower(x, weight).compile()
            return perf_counter() - start

        return once

    contestants = {"generated": compiling(generated), JNP: compiling(jnp_reference)}
    claims = [Claim("generated", JNP, at_most=1.0)]
    name = "JAX rms_norm 8x128 f32, tracing and compiling 100 calls"
    return Group(name, contestants, claims, rounds=3, self_timed=True)
