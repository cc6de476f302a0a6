"""Functions that call an op with little overhead, in eager mode and in compiled programs."""

from __future__ import annotations

import ctypes
import functools
import os
import warnings
from collections.abc import Callable
from importlib.machinery import EXTENSION_SUFFIXES
from typing import Any

import torch

from ..core.project import LIBRARIES, NAMESPACE, PACKAGE_HASH
from .kinds import by_kind
from .library import find_unit
from .programs import noted


def eager(op: torch._ops.OpOverload) -> Callable[..., Any]:
    """Return a function that calls `op` with less overhead. It takes all arguments in schema order.

    Dynamo cannot trace the returned function, so compiled programs use `traced` instead. If the
    libraries were built for another Python version, return PyTorch's own callable, which takes half
    a microsecond longer.
    """
    schema = op._schema
    general = noted(op, by_kind(op, _by_position(op, op._op)))
    if _make is None:
        return general
    return _make(schema.name.encode(), schema.overload_name.encode(), general, _find())


def traced(op: torch._ops.OpOverload) -> Callable[..., Any]:
    """Return the function that calls `op` in compiled programs."""
    return noted(op, by_kind(op, _by_position(op, op), traced=True))


def _by_position(op: torch._ops.OpOverload, run: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function of positional arguments, in schema order, that calls `run`."""
    names = [each.name for each in op._schema.arguments if each.kwarg_only]
    if not names:
        return run
    first = len(op._schema.arguments) - len(names)
    return lambda *args: run(*args[:first], **dict(zip(names, args[first:])))


def _load() -> Callable[..., Callable[..., Any]] | None:
    file = find_unit("eager", EXTENSION_SUFFIXES[0])
    if file is None:
        return None
    try:
        make = ctypes.PyDLL(str(file)).opgen_eager
    except (OSError, AttributeError) as error:
        warnings.warn(
            f"{NAMESPACE} cannot load its fast way into ops ({error}): calls take longer. `opgen "
            "build` makes another",
            stacklevel=2,
        )
        return None
    names = (ctypes.c_char_p,) * 2
    make.argtypes = (*names, ctypes.py_object, ctypes.c_void_p)
    make.restype = ctypes.py_object
    return make


@functools.cache
def _find() -> ctypes.c_void_p:
    """Return the C++ function that calls kernels without PyTorch's dispatcher.

    The function pointer is null if `OPGEN_DIRECT=0` is set or calls are shadowed. In both cases,
    the dispatcher handles every call.
    """
    if os.environ.get("OPGEN_DIRECT") == "0" or os.environ.get("OPGEN_SHADOW"):
        return ctypes.c_void_p()
    ops = ctypes.CDLL(str(LIBRARIES / f"lib{NAMESPACE}_torch-{PACKAGE_HASH}.so"))
    return ctypes.cast(ops.opgen_direct, ctypes.c_void_p)


_make = _load()
