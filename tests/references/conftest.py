"""Fixtures: each test gets the same random numbers in any test order, and JAX uses 64 bits."""

from __future__ import annotations

import jax
import pytest

from . import calls


@pytest.fixture(autouse=True)
def fresh():
    calls.reseed()
    with jax.enable_x64(True):
        yield
