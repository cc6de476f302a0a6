"""Checks of the elements of inputs, enabled by `OPGEN_CHECK_VALUES=1`.

The package reads the variable at import. Without it, nothing is registered.
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
    """Check the elements of the inputs of `op` before each call, for all devices.

    The check is a dispatcher kernel below autograd and above the kernels of all devices. Tracing
    does not record the check. To check elements, it copies them to the host.
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
    """Return a function that checks the elements of a call's inputs.

    Return None if checks are disabled, or if the spec has no condition on elements.
    """
    if not CHECKED or not call.core.values:
        return None

    def check(args: Any, kwargs: Any) -> None:
        arguments = call.bind(args, kwargs)
        call.launch(arguments, arrays=_arrays(call, arguments))

    return check


def _arrays(call: Call, arguments: dict[str, Any]) -> dict[str, list[Any]]:
    """Return, as NumPy arrays, the inputs for which the spec has a condition on elements.

    Absent tensors and meta tensors are left out.
    """
    found = {}
    for name in call.core.values:
        given = arguments[name]
        tensors = given if isinstance(given, (list, tuple)) else [given]
        found[name] = [_array(each) for each in tensors if each is not None and not each.is_meta]
    return found


def _array(tensor: torch.Tensor) -> Any:
    """Convert a tensor to NumPy. Floats that NumPy lacks (bfloat16 and fp8) are widened."""
    if tensor.is_floating_point() and tensor.dtype != torch.float64:
        tensor = tensor.float()
    return tensor.numpy(force=True)
