"""The dropout reference equals Philox on Python integers, which gives the published words."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from array_api_compat import numpy as numpy_namespace

from . import philox
from .calls import call, differentiable, normal, reference, same


def test_philox_gives_the_published_words() -> None:
    """Philox on Python integers gives the known answers of Random123 for `philox4x32 10`."""
    ones = philox.LOW
    assert philox.block([0] * 4, [0] * 2) == [0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8]
    assert philox.block([ones] * 4, [ones] * 2) == [0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD]
    counter = [0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344]
    key = [0xA4093822, 0x299F31D0]
    assert philox.block(counter, key) == [0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1]


@pytest.mark.parametrize("seed, offset", [(0, 0), (-1, -1), (2**62 + 5, 3), (7, 2**40 + 1)])
@pytest.mark.parametrize("family", ["dropout", "varlen_attention"])
def test_words(family, seed, offset) -> None:
    index = np.array([-4, -1, 0, 1, 2, 3, 4, 2**34 + 1, 2**62 + 3])
    wanted = np.array([philox.word(seed, offset, int(i)) for i in index])
    same(call(reference(family, "random_words"), np.array(seed), np.array(offset), index), wanted)


@pytest.mark.parametrize("shape", [(), (1,), (0, 3), (3, 5, 2), (9,)])
@pytest.mark.parametrize("p", [0.0, 0.3, 0.75, 1.0])
def test_dropout(shape, p) -> None:
    dropout = reference("dropout")
    given = [normal(*shape), np.array(1234567890123), np.array(77)]
    kept = philox.keep(1234567890123, 77, shape, p)
    same(call(dropout, *given, p=p), np.where(kept, given[0] / (1 - p or 1), 0.0))
    differentiable(dropout, given, (0,), p=p)


def test_dropout_drops_as_many_as_asked() -> None:
    x = np.ones(100_000, "float32")
    streams = [
        reference("dropout")(numpy_namespace, x, np.array(5), np.array(n), p=0.3) for n in range(2)
    ]
    for y in streams:
        assert y.dtype == np.float32 and set(np.unique(y)) == {0, np.float32(1 / 0.7)}
        assert abs(np.mean(y == 0) - 0.3) < 0.01
    assert abs(np.mean(streams[0] == streams[1]) - 0.58) < 0.01


def test_dropout_refuses_to_run_on_32_bits() -> None:
    """The dropout reference raises OverflowError in JAX without 64-bit integers.

    Its random words would be wrong.
    """
    with jax.enable_x64(False), pytest.raises(OverflowError), pytest.warns(UserWarning):
        given = jnp.ones(4), jnp.array(1), jnp.array(2)
        reference("dropout")(jnp, *given, p=0.5)
