"""Register the Python parts of an op with PyTorch, after its kernels are loaded."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any

import torch

from ..core.project import NAMESPACE, PACKAGE
from .batching import batched_kernel, batching_rule
from .caches import salt
from .call import CALLS, Call, bare, empty
from .elements import check_values
from .forward_mode import WAYS, ForwardMode
from .library import find_op, library, register_rule
from .references import Function
from .sharding import shard


def register(
    name: str,
    *,
    rule: Sequence[str],
    vmap: bool = True,
    reference: Function | None = None,
    unread: Sequence[str] = (),
) -> torch._ops.OpOverload:
    """Register the Python parts of op `name`, such as its fake kernel, and return the op.

    `rule` has the lines of the autograd rule, which describes gradients and autocast. If `vmap` is
    set, batched calls are allowed. Forward mode differentiates `reference`, which must not read the
    inputs `unread`.
    """
    op, qualified = find_op(name), f"{NAMESPACE}::{name}"
    op.tags.append(torch.Tag.pt2_compliant_tag)  # definitions in C++ have tags from torch 2.12 on
    register_rule("\n".join(rule))
    call = CALLS[name] = Call(op)
    torch.library.register_fake(qualified, _fake_kernel(call), lib=library)
    if vmap:
        batched = batching_rule(op, call)
        torch.library.register_vmap(qualified, batched, lib=library)
        if any(str(result.type) != "Tensor" for result in op._schema.returns):
            library.impl(name, batched_kernel(batched, call), "Batched")
    if (backend := _backend()) and (run := backend.implementation(call)):
        library.impl(name, run, "PrivateUse1")
    WAYS[name] = ForwardMode(reference, unread)
    shard(op)
    if not _watch(name):
        check_values(op, call)
    return op


@functools.cache
def _backend() -> ModuleType | None:
    """Return the module with the kernels of a separate package for PyTorch's PrivateUse1 device, or
    None if there is no such package.

    For a device `p`, the module is `generated.p.torch`. Its `implementation(call)` returns the
    function that runs an op, or None. PyTorch imports the device's package before this one.
    """
    package = f"{PACKAGE}.{torch._C._get_privateuse1_backend_name()}"
    if find_spec(package) is None or find_spec(f"{package}.torch") is None:
        return None
    return import_module(f"{package}.torch")


def _watch(name: str) -> bool:
    """Shadow calls of an op and check the elements of its inputs, if `OPGEN_SHADOW` requests this.

    Raises ImportError if NumPy or array-api-compat, which shadowing needs, is not installed.
    """
    if not os.environ.get("OPGEN_SHADOW"):
        return False
    try:
        debug: Any = import_module("..debug.torch", __package__)
    except ModuleNotFoundError as error:
        if error.name not in ("numpy", "array_api_compat"):
            raise
        raise ImportError(f"OPGEN_SHADOW needs numpy and array-api-compat: {error}") from None
    return bool(debug.watch(name))


def _fake_kernel(call: Call) -> Callable[..., Any]:
    """Return a fake kernel, whose results have shapes and dtypes but no values.

    Sizes of arguments may be symbolic.
    """

    def fake(*args: Any, **kwargs: Any) -> Any:
        salt()
        arguments = call.bind(args, kwargs)
        specs, device = call.results(arguments), call.device(arguments)
        return bare([empty(spec, device, arguments) for spec in specs])

    return fake
