"""The libraries of this package: kernels and autograd. Rendered by opgen."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

from ...core._libraries import refuse_another, refuse_truncated

NAMESPACE = "generated"
LIBRARIES = Path(__file__).parents[2] / "lib"
# Stands for the layouts that this package and the libraries must agree on.
LAYOUT = "f628dae6b04d"
VERSION = ".".join(torch.__version__.split(".")[:2])


def _find(stem: str, reason: str = "") -> str:
    path = LIBRARIES / f"{stem}.so"
    if not path.is_file():
        raise ImportError(f"{path} is missing{reason}: run `opgen build`")
    return str(path)


def _load() -> ctypes.CDLL:
    """Register the ops; give the library that differentiates them."""
    kernels = _find(f"lib{NAMESPACE}_torch-{LAYOUT}")
    autograd = _find(
        f"lib{NAMESPACE}_autograd-{LAYOUT}-{VERSION}",
        f" (this is torch {torch.__version__})",
    )
    refuse_another(LIBRARIES, NAMESPACE)
    refuse_truncated(LIBRARIES, LAYOUT)
    try:
        torch.ops.load_library(kernels)
        return ctypes.CDLL(autograd)
    except OSError as error:
        raise ImportError(f"{error.__cause__ or error}: run `opgen build`") from None


_autograd = _load()
_autograd.opgen_register.restype = ctypes.c_char_p
library = torch.library.Library(NAMESPACE, "FRAGMENT")


def find_op(name: str, overload: str = "default") -> torch._ops.OpOverload:
    """The op `name` of the library."""
    op: torch._ops.OpOverload = getattr(getattr(getattr(torch.ops, NAMESPACE), name), overload)
    return op


def register_rule(rule: str, namespace: str = NAMESPACE) -> None:
    """Tell the autograd library how an op is differentiated, a line for each fact.

    Raises ValueError for a rule that does not fit the op.
    """
    problem = _autograd.opgen_register(namespace.encode(), rule.encode())
    if problem:
        raise ValueError(problem.decode())


def on_forward_mode(define: Callable[[str], None]) -> Callable[[str], None]:
    """Have `define` called with an op's name when a first call of it has tangents."""
    function = ctypes.CFUNCTYPE(None, ctypes.c_char_p)(lambda name: define(name.decode()))
    _callbacks.append(function)  # called as long as the process lives
    _autograd.opgen_on_forward_mode(NAMESPACE.encode(), function)
    return define


_callbacks: list[Any] = []
