"""How many operations a call takes, for `torch.utils.flop_counter`. Rendered by opgen.

The formulas wait until somebody imports the counter: it imports Triton where there is one,
which takes longer than everything here.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from threading import get_ident
from types import ModuleType
from typing import Any

import torch

from .call import CALLS

COUNTER = "torch.utils.flop_counter"

waiting: list[tuple[torch._ops.OpOverloadPacket, Callable[..., int]]] = []


def count_flops(op: torch._ops.OpOverload, formula: Callable[..., Any]) -> None:
    """`formula` takes the arguments of a call, shapes in place of tensors."""
    call = CALLS[op._schema.name.partition("::")[2]]

    def count(*args: Any, out_shape: Any = None, **kwargs: Any) -> int:
        arguments = call.bind(args, kwargs)
        arguments.pop("wanted", None)
        return int(formula(**arguments))

    waiting.append((op.overloadpacket, count))
    if COUNTER in sys.modules:
        register_formulas()


def register_formulas() -> None:
    """Tell the counter of those that wait."""
    from torch.utils.flop_counter import register_flop_formula

    while waiting:
        packet, count = waiting.pop()
        register_flop_formula(packet)(count)


class WhenImported(MetaPathFinder):
    """Calls `then` when the module `name` has been imported for the first time."""

    def __init__(self, name: str, then: Callable[[], None]) -> None:
        self.name = name
        self.then = then
        self.searching: int | None = None  # the thread that is

    def find_spec(self, name: str, *where: Any) -> ModuleSpec | None:
        """What the other finders find, to be executed with `then` after it."""
        if name != self.name or self.searching == get_ident():
            return None
        self.searching = get_ident()
        try:
            spec = find_spec(name)
        finally:
            self.searching = None
        if spec is None or spec.loader is None:
            return spec
        execute = spec.loader.exec_module

        def execute_then(module: ModuleType) -> None:
            execute(module)
            if self in sys.meta_path:
                sys.meta_path.remove(self)
            self.then()

        spec.loader.exec_module = execute_then  # type: ignore[method-assign]
        return spec


if COUNTER not in sys.modules:
    sys.meta_path.insert(0, WhenImported(COUNTER, register_formulas))
