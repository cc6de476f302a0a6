"""How DTensor may split the ops, told as soon as DTensor is imported. Rendered by opgen."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import ModuleType
from typing import Any

import torch

DTENSOR = "torch.distributed.tensor"
_UNTOLD: list[tuple[torch._ops.OpOverload, dict[str, Any]]] = []


def shard(op: torch._ops.OpOverload, **facts: Any) -> None:
    """Hand what `dtensor.register` takes to DTensor, now or when somebody imports it.

    Importing it costs half a second, and its first call of an op is too late: by then it
    has taken the call apart.
    """
    _UNTOLD.append((op, facts))
    if DTENSOR in sys.modules:
        _tell()
    elif len(_UNTOLD) == 1:
        sys.meta_path.insert(0, _WhenImported())


def _tell() -> None:
    from .dtensor import register

    while _UNTOLD:
        op, facts = _UNTOLD.pop()
        register(op, **facts)


class _WhenImported(MetaPathFinder):
    """Finds DTensor as others do, and tells it when it is there."""

    def find_spec(
        self,
        name: str,
        path: Sequence[str] | None = None,
        target: ModuleType | None = None,
    ) -> ModuleSpec | None:
        if name != DTENSOR:
            return None
        sys.meta_path.remove(self)
        spec = find_spec(name)
        run = spec.loader.exec_module

        def run_and_tell(module: ModuleType) -> None:
            run(module)
            _tell()

        spec.loader.exec_module = run_and_tell
        return spec
