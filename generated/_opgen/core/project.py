"""Data of the package that contains this runtime: its names, hash, libraries, ops and references.

No other module of the runtime may import the package.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from .runtime import CoreOp

PACKAGE = __package__.removesuffix("._opgen.core")
_core: Any = import_module(f"{PACKAGE}.core")
_facts: Any = import_module(f"{PACKAGE}.core._project")
FOLDER = Path(_facts.__file__).parents[1]
LIBRARIES = FOLDER / "lib"
NAMESPACE: str = _facts.NAMESPACE
# The hash of the layouts that this package and its libraries must share.
LAYOUT: str = _facts.LAYOUT
# Part of the names of this package's libraries.
PACKAGE_HASH: str = import_module(f"{PACKAGE}.core._package").PACKAGE_HASH
# The names of kernels by op and platform, in order of preference. If an op has the key `else`, its
# reference may replace its kernels.
LISTED: dict[str, dict[str, tuple[str, ...]]] = _facts.LISTED
# The names of tuned values, by op, platform, and kernel ("" for an op with a single kernel).
TUNED: dict[str, dict[str, dict[str, tuple[str, ...]]]] = _facts.TUNED
# The guarantees of listed kernels that calls may require.
GUARANTEES: dict[str, dict[str, dict[str, tuple[str, ...]]]] = _facts.GUARANTEES


def core_op(name: str) -> CoreOp:
    """Return the framework-free wrapper of an op. Raises AttributeError for an unknown name."""
    found: CoreOp = getattr(_core, name)  # Dynamo traces this: no import here
    return found


def references() -> dict[str, dict[str, Any]]:
    """Return, by op, the fields of its `Reference` (see `references.py`)."""
    found: dict[str, dict[str, Any]] = import_module(f"{PACKAGE}.core._references").REFERENCES
    return found


def reference(module: str, function: str) -> Callable[..., Any]:
    """Return a function of a module in `reference/`, and import the module if necessary."""
    found: Callable[..., Any] = getattr(import_module(f"{PACKAGE}.reference.{module}"), function)
    return found
