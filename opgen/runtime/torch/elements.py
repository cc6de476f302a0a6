"""Checks the elements of inputs, where `OPGEN_CHECK_VALUES=1`.

The variable is read when the package is imported; without it nothing is registered.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import torch

from .call import Call
from .library import library

CHECKED = os.environ.get("OPGEN_CHECK_VALUES") == "1"
KEY = torch._C.DispatchKey.BackendSelect


def check_values(op: torch._ops.OpOverload, call: Call) -> None:
    """Check the elements of the inputs of `op` before any of its kernels runs.

    It is a step of the dispatcher, below autograd and above the kernels of all devices: no
    call passes it by, and tracing does not see it. Elements are looked at on the host.
    """
    check = checker(call)
    if check is None:
        return
    below = torch._C._dispatch_keyset_full_after(KEY)

    def run(keys: torch._C.DispatchKeySet, *args: Any, **kwargs: Any) -> Any:
        check(args, kwargs)
        return op.redispatch(keys & below, *args, **kwargs)

    library.impl(op, run, KEY.name, with_keyset=True)


def checker(call: Call) -> Callable[[Any, Any], None] | None:
    """What checks the arguments of a call, where that is asked for and there is something to."""
    if not CHECKED or not call.core.values:
        return None

    def check(args: Any, kwargs: Any) -> None:
        arguments = call.bind(args, kwargs)
        call.launch(arguments, arrays=_arrays(call, arguments))

    return check


def _arrays(call: Call, arguments: dict[str, Any]) -> dict[str, list[Any]]:
    """The inputs that the spec puts a condition on, as NumPy arrays; none without elements."""
    found = {}
    for name in call.core.values:
        given = arguments[name]
        tensors = given if isinstance(given, (list, tuple)) else [given]
        found[name] = [_array(each) for each in tensors if each is not None and not each.is_meta]
    return found


def _array(tensor: torch.Tensor) -> Any:
    """NumPy has no bfloat16 and no fp8: narrow floats are widened."""
    if tensor.is_floating_point() and tensor.dtype != torch.float64:
        tensor = tensor.float()
    return tensor.numpy(force=True)
