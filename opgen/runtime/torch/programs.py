"""Bundles in programs that are saved. Rendered by opgen."""

from __future__ import annotations

import torch
from torch.utils import _pytree as pytree


def saved(*bundles: type) -> None:
    """Let `torch.export` save and load programs that take or give these."""
    torch.serialization.add_safe_globals([*bundles])  # of examples of their inputs
    for each in bundles:
        if each not in pytree.SUPPORTED_SERIALIZED_TYPES:
            name = f"{each.__module__}.{each.__name__}"
            pytree._register_namedtuple(each, serialized_type_name=name)
