"""The way into an op where nothing is traced. Rendered by opgen."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from importlib.machinery import EXTENSION_SUFFIXES
from typing import Any

import torch

from .library import LAYOUT, LIBRARIES, NAMESPACE, VERSION


def eager(op: torch._ops.OpOverload) -> Callable[..., Any]:
    """What does as `op`, given all arguments in the order of the schema; Dynamo knows only `op`.

    PyTorch's own callable, which takes half a microsecond more, where the libraries were
    built for another Python.
    """
    if _make is None:
        return op._op
    schema = op._schema
    return _make(schema.name.encode(), schema.overload_name.encode(), op._op)


def _load() -> Callable[[bytes, bytes, Callable], Callable] | None:
    file = f"lib{NAMESPACE}_eager-{LAYOUT}-{VERSION}{EXTENSION_SUFFIXES[0]}"
    if not (LIBRARIES / file).is_file():
        return None
    make = ctypes.PyDLL(str(LIBRARIES / file)).opgen_eager
    make.argtypes = (ctypes.c_char_p, ctypes.c_char_p, ctypes.py_object)
    make.restype = ctypes.py_object
    return make


_make = _load()
