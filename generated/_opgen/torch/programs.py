"""Support for saved programs: they may use bundles, and they check that an op has not changed since
the program was saved.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch.compiler import is_exporting
from torch.utils import _pytree as pytree

from ..core.project import core_op
from .call import on_request
from .library import find_op, library

# An op that raises an error if the program was exported with another version of the op it names.
_made_with = find_op("_made_with")
_made_with.tags.append(torch.Tag.pt2_compliant_tag)
torch.library.register_fake(_made_with, lambda op, op_hash: None, lib=library)
torch.fx.node.has_side_effect(_made_with)


def noted(op: torch._ops.OpOverload, run: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that calls `run`, which calls `op`. During an export, the returned function
    also records the op's hash.

    An exported program first checks the hash. The program also computes the first result, even if
    the caller does not request this result. AOTInductor accepts None only for results of type
    `Tensor?`, which DTensor does not allow for the first result.
    """
    name = op._schema.name.partition("::")[2]
    results = op._schema.returns
    several = len(results) > 1 and isinstance(results[0].type, torch.TensorType)
    first = results[0].name if several else None

    def call(*args: Any) -> Any:
        if is_exporting():
            _made_with(name, _op_hash(name))
            if first in on_request(name) and not args[-1] & 1:
                return (None, *run(*args[:-1], args[-1] | 1)[1:])
        return run(*args)

    return call


def _op_hash(name: str) -> int:
    found: int = core_op(name).op_hash
    return found


# This has the effect of torch.compiler.assume_constant_result, which would import all of Dynamo.
_op_hash._dynamo_marked_constant = True  # type: ignore[attr-defined]


def saved(*bundles: type) -> None:
    """Let `torch.export` save and load programs that take or return these bundles."""
    torch.serialization.add_safe_globals([*bundles])  # example inputs contain them
    for each in bundles:
        if each not in pytree.SUPPORTED_SERIALIZED_TYPES:
            name = f"{each.__module__}.{each.__name__}"
            pytree._register_namedtuple(each, serialized_type_name=name)
