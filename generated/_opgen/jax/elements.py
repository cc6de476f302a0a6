"""Checks of the elements of inputs, enabled by `OPGEN_CHECK_VALUES=1`.

The package reads the variable at import.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from typing import Any

import jax
import numpy as np

from .kernel import Kernel
from .seeds import seeded

CHECKED = os.environ.get("OPGEN_CHECK_VALUES") == "1"


def checked(kernel: Kernel) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return a jitted op that checks the elements of its inputs, if checks are enabled.

    Concrete arrays are checked before the call, and a wrong element raises ValueError. Traced
    arrays are checked by a callback when the program runs, and JAX wraps the ValueError.
    """
    if not CHECKED:
        return lambda function: function
    names, options = kernel.arguments, (*kernel.options, "wanted")

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def call(*args: Any) -> Any:
            args = (*seeded(kernel, args[: len(names)]), *args[len(names) :])
            attrs = dict(zip(options, args[len(names) :]))
            inputs = dict(zip(names, args))
            specs = [jax.tree.map(_spec, inputs[name]) for name in names]
            arrays = {name: jax.tree.leaves(inputs[name]) for name in kernel.core.values}

            def check(arrays: Any) -> Any:
                arrays = jax.tree.map(np.asarray, arrays)
                kernel.bind(specs, attrs, arrays=arrays)

            if any(isinstance(x, jax.core.Tracer) for x in jax.tree.leaves(arrays)):
                jax.debug.callback(check, arrays)
            else:
                check(arrays)
            return function(*args)

        return call

    return decorate


def _spec(value: Any) -> jax.ShapeDtypeStruct:
    """Return the shape and dtype of an array, or of the array that JAX creates from a number."""
    kind = jax.typeof(value)
    return jax.ShapeDtypeStruct(kind.shape, kind.dtype)
