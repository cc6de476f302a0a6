"""The same random numbers for a test, whichever ran before; 64 bits in JAX."""

from __future__ import annotations

import jax
import pytest

from . import calls


@pytest.fixture(autouse=True)
def fresh():
    calls.reseed()
    with jax.enable_x64(True):
        yield
