"""rms_norm in JAX beside its reference in jax.numpy, jitted."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import jax
import jax.numpy as jnp

from generated.jax import rms_norm
from generated.reference import rms_norm as reference
from opgen.bench.harness import Claim, Group

Norm = Callable[[jax.Array, jax.Array], jax.Array]
Arrays = tuple[jax.Array, ...]


@jax.jit
def jnp_reference(x: jax.Array, weight: jax.Array) -> jax.Array:
    return reference.rms_norm(jnp, x, weight, eps=1e-5)


NORMS: dict[str, Norm] = {
    "generated": partial(rms_norm, eps=1e-5),
    "jnp reference": jnp_reference,
}


def groups() -> Iterator[Group]:
    yield from _modes("8x128 f32", 8, 128, jnp.float32)
    yield from _modes("4096x4096 f32", 4096, 4096, jnp.float32, rounds=11)
    yield from _modes("4096x4096 bf16", 4096, 4096, jnp.bfloat16, rounds=11)


def _modes(
    title: str, m: int, n: int, dtype: jnp.dtype, rounds: int = 50
) -> Iterator[Group]:
    """The op called by itself, within a user's jit, and with its gradient. x: `m n`."""
    keys = jax.random.split(jax.random.key(0), 3)
    x, dy = (jax.random.normal(key, (m, n), dtype) for key in keys[:2])
    weight = jax.random.uniform(keys[2], (n,), dtype, 0.5, 1.5)
    for mode, wrapped, operands in (
        ("eager", lambda norm: norm, (x, weight)),
        ("in a user's jit", _jitted, (x, weight)),
        ("forward + backward, jitted", _with_gradient, (x, weight, dy)),
    ):
        contestants = {
            name: partial(_finish, wrapped(norm), operands)
            for name, norm in NORMS.items()
        }
        claims = [Claim("generated", "jnp reference")]
        yield Group(f"JAX rms_norm {title}, {mode}", contestants, claims, rounds)


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
