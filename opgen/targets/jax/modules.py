"""The strings of the modules of an op for Flax NNX and for Equinox (`jax.module`).

Each follows its library's own style for arguments of the constructor, the dtype of the computation,
and fields. docs/jax.md explains the differences.
"""

from __future__ import annotations

from collections.abc import Callable

from opgen.ir.op import Op
from opgen.targets.jax.equinox_module import EquinoxModule
from opgen.targets.jax.library_module import LibraryModule, ModuleView
from opgen.targets.jax.nnx_module import NnxModule

LIBRARIES: dict[str, Callable[[Op], LibraryModule]] = {"nnx": NnxModule, "equinox": EquinoxModule}


def module(op: Op, library: str) -> ModuleView:
    """Return the module of `op`. Inputs with `init` become its parameters."""
    return LIBRARIES[library](op).view()
