"""Functions that query registered PyTorch ops."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def full(schema: Any) -> str:
    """Return the name of the op that a schema describes, with the overload's name if it has one."""
    return f"{schema.name}.{schema.overload_name}" if schema.overload_name else str(schema.name)


def has_kernel(name: str, keys: Sequence[str]) -> bool | None:
    """Return True if an op has a kernel for one of the dispatch keys `keys`.

    Return None for an op that only TorchScript knows.
    """
    import torch

    try:
        return any(torch._C._dispatch_has_kernel_for_dispatch_key(name, key) for key in keys)
    except RuntimeError:
        return None
