"""Changed code in a process: a module is imported again, or an existing function is changed."""

from __future__ import annotations

import functools
import importlib.abc
import importlib.machinery
import importlib.util
import sys
from collections.abc import Iterator
from types import CodeType, FunctionType, ModuleType
from typing import Any


class Finder(importlib.abc.MetaPathFinder):
    """Import hook that finds one module and gives it changed code."""

    def __init__(self, module: str, code: CodeType) -> None:
        self.module, self.code = module, code

    def find_spec(self, name: str, path: object, target: object = None) -> Any:
        if name != self.module:
            return None
        loader = Loader(name, self.code.co_filename)
        loader.code = self.code
        return importlib.util.spec_from_file_location(name, loader.path, loader=loader)


class Loader(importlib.machinery.SourceFileLoader):
    code: CodeType

    def get_code(self, fullname: str) -> CodeType:
        return self.code


def outermost(qualname: str) -> str:
    """Return the name of the outermost function."""
    return qualname.partition(".<locals>")[0]


def module_name(path: str) -> str:
    return path.removesuffix(".py").replace("/", ".")


def code_of(code: CodeType, function: str) -> CodeType:
    """Return the code object of a function, from the code object of its module."""
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            if constant.co_qualname == function:
                return constant
            if function.startswith(f"{constant.co_qualname}."):
                return code_of(constant, function)
    raise LookupError(function)


def functions(module: ModuleType) -> Iterator[FunctionType]:
    """Yield the functions and methods of a module, including decorated ones."""
    todo: list[Any] = list(vars(module).values())
    while todo:
        each = todo.pop()
        if isinstance(each, FunctionType) and each.__module__ == module.__name__:
            yield each
        if isinstance(each, type) and each.__module__ == module.__name__:
            todo += vars(each).values()
        for name in ("__wrapped__", "__func__", "fget", "func"):
            if not isinstance(each, type) and hasattr(each, name):
                todo.append(getattr(each, name))


def forget() -> None:
    """Empty opgen's caches, so that a test runs functions that an earlier test has called.

    The caches of `opgen.testing` stay: its random inputs and its started processes.
    """
    for name, module in list(sys.modules.items()):
        if name.startswith("opgen") and not name.startswith("opgen.testing"):
            for each in vars(module).values():
                if isinstance(each, functools._lru_cache_wrapper):
                    each.cache_clear()
