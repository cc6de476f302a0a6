"""The reference functions of a spec, whose module is imported at the first call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax.numpy as jnp
from jax import lax

from ..core.project import reference as function_of


class Namespace:
    """The namespace of references: `jax.numpy`, and functions that the array API lacks."""

    erf, erfc = staticmethod(lax.erf), staticmethod(lax.erfc)

    def __getattr__(self, name: str) -> Any:
        return getattr(jnp, name)


xp = Namespace()


class References:
    """The functions of `reference/<module>.py`. The first call imports the module."""

    def __init__(self, module: str) -> None:
        self._module = module

    def __getattr__(self, name: str) -> Callable[..., Any]:
        def reference(*args: Any, **attrs: Any) -> Any:
            return function_of(self._module, name)(*args, **attrs)

        return reference
