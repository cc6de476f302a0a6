"""Write the HLO of each op to the folder that the environment variable `OPGEN_DUMP_HLO` names."""

from __future__ import annotations

import functools
import itertools
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax
import numpy as np

ARRAYS = (jax.Array, np.ndarray, np.generic)
FOLDER = os.environ.get("OPGEN_DUMP_HLO", "")


def dumped(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a jitted op that writes its HLO for every new call, if dumps are enabled.

    `<op>.<number>.stablehlo` is the lowered module, and `<op>.<number>.hlo` the optimised one.
    Calls inside a user's own `jax.jit` are written too, each as a program of this op alone. The
    package reads the environment variable at import.
    """
    if not FOLDER:
        return function
    op = function.__name__.removeprefix("_")
    numbers = itertools.count()
    seen: set[tuple[Any, ...]] = set()

    @functools.wraps(function)
    def call(*args: Any) -> Any:
        key = jax.tree.map(lambda x: jax.typeof(x) if isinstance(x, ARRAYS) else x, args)
        key = (*jax.tree.leaves(key), jax.tree.structure(key))
        if key not in seen:
            seen.add(key)
            _write(Path(FOLDER) / f"{op}.{next(numbers)}", function, args)
        return function(*args)

    return call


def _write(path: Path, function: Any, args: tuple[Any, ...]) -> None:
    lowered = function.lower(*jax.tree.map(_abstract, args))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.with_name(f"{path.name}.stablehlo").write_text(lowered.as_text())
    path.with_name(f"{path.name}.hlo").write_text(lowered.compile().as_text())


def _abstract(x: Any) -> Any:
    """Return the type of an array, with its sharding if the array is committed to one. Other values
    are unchanged.

    An uncommitted array may move to any device that its call needs.
    """
    if not isinstance(x, ARRAYS):
        return x
    bound = not isinstance(x, jax.core.Tracer) and getattr(x, "committed", False)
    sharding = getattr(x, "sharding", None) if bound else None
    return jax.ShapeDtypeStruct(x.shape, x.dtype, sharding=sharding)
