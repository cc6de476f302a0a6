"""The libraries of this package: kernels and autograd."""

from __future__ import annotations

import ctypes
import os
import warnings
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import torch

from ..core.libraries import load
from ..core.project import LIBRARIES, NAMESPACE, PACKAGE_HASH
from ..core.units import UNITS

VERSION = ".".join(torch.__version__.split(".")[:2])


def find_unit(kind: str, suffix: str = ".so") -> Path | None:
    """Return the path of the autograd or eager library (`kind`) for this version of torch, or None.

    This package contains the two libraries for the torch version that it was built with. The
    distribution opgen-runtime contains them for other versions. With `OPGEN_AUTOGRAD=python`,
    return None.
    """
    if os.environ.get("OPGEN_AUTOGRAD") == "python":
        return None
    places = [LIBRARIES / f"lib{NAMESPACE}_{kind}-{PACKAGE_HASH}-{VERSION}{suffix}"]
    if runtime := find_spec("opgen_runtime"):
        name = f"libopgen_{kind}-{UNITS}-{VERSION}{suffix}"
        places += [Path(folder, name) for folder in runtime.submodule_search_locations or ()]
    return next((path for path in places if path.is_file()), None)


def _load() -> ctypes.CDLL | None:
    """Load the kernel library, which registers the ops with PyTorch. Return the autograd library.

    Return None if no autograd library exists. Then Python computes gradients.
    """
    load("torch", torch.ops.load_library)
    autograd, reason = find_unit("autograd"), "none was built for it"
    if autograd is not None:
        try:
            unit = ctypes.CDLL(str(autograd))
            unit.opgen_register.restype = ctypes.c_char_p
            return unit
        except (OSError, AttributeError) as error:
            reason = str(error)
    if os.environ.get("OPGEN_AUTOGRAD") != "python":
        warnings.warn(
            f"{NAMESPACE} has no autograd library for torch {torch.__version__} ({reason}): "
            "Python takes its place, and calls take longer. `opgen build` with this torch makes "
            "one, and so does opgen-runtime; OPGEN_AUTOGRAD=python says that none is wanted",
            stacklevel=2,
        )
    return None


_unit = _load()
library = torch.library.Library(NAMESPACE, "FRAGMENT")


def find_op(name: str, overload: str = "default") -> torch._ops.OpOverload:
    """Return the op `name`. Raises ImportError if the library does not contain it."""
    try:
        op: torch._ops.OpOverload = getattr(getattr(getattr(torch.ops, NAMESPACE), name), overload)
    except AttributeError:
        file = LIBRARIES / f"lib{NAMESPACE}_torch-{PACKAGE_HASH}.so"
        raise ImportError(f"{file} does not have the op {name}: run `opgen build`") from None
    return op


def register_rule(rule: str, namespace: str = NAMESPACE) -> None:
    """Register `rule`, the text that describes an op's gradient, with autograd.

    `torch/rule.py` parses the same format. Raises ValueError for a rule that does not fit the op.
    """
    if _unit is None:
        from .autograd import register

        register(namespace, rule)
    elif problem := _unit.opgen_register(namespace.encode(), rule.encode()):
        raise ValueError(problem.decode())


def on_forward_mode(define: Callable[[str], None]) -> Callable[[str], None]:
    """Register `define`. It is called with an op's name at the op's first call with tangents."""
    if _unit is None:
        from .recorded import DEFINE

        DEFINE[NAMESPACE] = define
        return define
    function = ctypes.CFUNCTYPE(None, ctypes.c_char_p)(lambda name: define(name.decode()))
    _callbacks.append(function)  # must stay alive as long as the process
    _unit.opgen_on_forward_mode(NAMESPACE.encode(), function)
    return define


_callbacks: list[Any] = []
