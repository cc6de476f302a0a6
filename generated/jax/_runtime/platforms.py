"""Platforms whose kernels are not in the library: a package of their own calls them.

For a platform `p` that is `generated.p.jax`, whose `lowering(op)` gives the function that
calls the kernel of `op`, or None. Rendered by opgen.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from ...core import CoreOp
from .library import PLATFORMS

PACKAGE = __package__.rpartition(".jax.")[0]


@functools.cache
def lowering_of(op: CoreOp, platform: str) -> Callable[..., Any] | None:
    """What calls the kernel of `op` on `platform`, if its own package does.

    The function takes the operands, and attrs by keyword.
    """
    package = f"{PACKAGE}.{platform}"
    if platform in PLATFORMS or find_spec(package) is None:
        return None
    if find_spec(f"{package}.jax") is None:
        return None
    return import_module(f"{package}.jax").lowering(op)
