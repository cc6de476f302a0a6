"""Callbacks that run when an expensive module is imported."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from threading import get_ident
from types import ModuleType
from typing import Any

waiting: dict[str, list[Callable[[], None]]] = {}


def when_imported(name: str, then: Callable[[], None]) -> None:
    """Call `then` as soon as module `name` has been executed, or immediately if it already has
    been.
    """
    if name in sys.modules:
        then()
    elif name in waiting:
        waiting[name].append(then)
    else:
        waiting[name] = [then]
        sys.meta_path.insert(0, _Watch(name))


class _Watch(MetaPathFinder):
    """An import hook that runs callbacks as soon as a module has been executed.

    The hook finds the module through Python's other finders. Python may search for the module
    several times, or never execute it.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.searching: int | None = None  # the thread that is searching

    def find_spec(self, name: str, *where: Any) -> ModuleSpec | None:
        """Return the module's spec from the other finders, with a loader that also runs the
        callbacks.
        """
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
            for then in waiting.pop(name, ()):
                then()

        spec.loader.exec_module = execute_then  # type: ignore[method-assign]
        return spec
