"""The modules of an op for Flax NNX and for Equinox (`jax.module`): what their templates place.

Each is written as the library writes its own: what the constructor is given, in which dtype it
computes, what it keeps. docs/jax.md says which is which.
"""

from __future__ import annotations

from collections.abc import Callable

from opgen.ir.op import Op
from opgen.targets.jax.equinox_module import EquinoxModule
from opgen.targets.jax.library_module import LibraryModule, ModuleView
from opgen.targets.jax.nnx_module import NnxModule

LIBRARIES: dict[str, Callable[[Op], LibraryModule]] = {"nnx": NnxModule, "equinox": EquinoxModule}


def module(op: Op, library: str) -> ModuleView:
    """The module of `op`: the inputs that say `init` are its parameters."""
    return LIBRARIES[library](op).view()
