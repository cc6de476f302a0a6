"""Register ops under the names of other libraries. Callers of these libraries need no changes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor

from .library import find_op
from .out import OUTS

_LIBRARIES: dict[str, torch.library.Library] = {}


def replace(name: str, schema: str, args: Mapping[str, str]) -> None:
    """Register an op with the `schema` of another library. The new op runs op `name` of this
    package.

    Nothing happens if the other library is loaded. `args` maps names of this package's inputs,
    attrs and outputs to names in the schema, if they differ.
    """
    old = schema.partition("(")[0]
    space, _, own = old.partition("::")
    base, _, overload = own.partition(".")
    known = torch._C._jit_get_schemas_for_operator(f"{space}::{base}")
    if any(each.overload_name == overload for each in known):
        return
    if space not in _LIBRARIES:
        _LIBRARIES[space] = torch.library.Library(space, "FRAGMENT")
    library = _LIBRARIES[space]
    library.define(schema.partition("::")[2], tags=(torch.Tag.pt2_compliant_tag,))
    found = getattr(getattr(getattr(torch.ops, space), base), overload or "default")
    run = _implementation(name, found._schema, args)
    # The op is composed of other ops, which provide gradients, fake kernels and compiled programs.
    library.impl(own, run, "CompositeImplicitAutograd")


def _implementation(name: str, schema: Any, args: Mapping[str, str]) -> Any:
    op = find_op(name)
    arguments = {each.name: each for each in schema.arguments}
    taken = {
        each.name: args.get(each.name, each.name)
        for each in op._schema.arguments
        if args.get(each.name, each.name) in arguments
    }
    outputs = _outputs(name, op, schema, args)
    unused = set(arguments) - {*taken.values(), *(old for _, old in outputs if old)}

    def run(*values: Any, **by_name: Any) -> Any:
        given = {
            **{n: a.default_value for n, a in arguments.items()},
            **dict(zip(arguments, values)),
        }
        given |= by_name
        for each in unused:
            if given[each] != arguments[each].default_value:
                raise NotImplementedError(f"{schema.name}: {name} has nothing like `{each}`")
        passed = {own: given[old] for own, old in taken.items()}
        destinations = {own: given[old] for own, old in outputs if old}
        fresh = _run(name, op, passed, destinations, [own for own, _ in outputs])
        results = [
            given[old] if (old := _alias(each, schema)) else next(fresh) for each in schema.returns
        ]
        return None if not results else results[0] if len(results) == 1 else tuple(results)

    return run


def _outputs(
    name: str, op: Any, schema: Any, args: Mapping[str, str]
) -> list[tuple[str, str | None]]:
    """Return the op's outputs, each with the schema's argument that it is written to, or None."""
    written = {each.name for each in schema.arguments if each.is_write}
    names = [each.name for each in op._schema.returns]
    found = [(each, args.get(each, each)) for each in names]
    fresh = sum(1 for each in schema.returns if _alias(each, schema) is None)
    # Residuals come last, and no caller sees them.
    kept: list[tuple[str, str | None]] = []
    for own, old in found:
        if old in written:
            kept.append((own, old))
        elif fresh:
            kept.append((own, None))
            fresh -= 1
    return kept


def _alias(result: Any, schema: Any) -> str | None:
    """Return the argument whose memory the schema's result shares; None if the result is new."""
    if result.alias_info is None or not result.alias_info.is_write:
        return None
    return next(
        (
            each.name
            for each in schema.arguments
            if each.alias_info and each.alias_info.before_set == result.alias_info.before_set
        ),
        None,
    )


def _run(
    name: str,
    op: Any,
    passed: Mapping[str, Any],
    destinations: Mapping[str, Tensor],
    outputs: list[str],
) -> Any:
    """Run the op, write each output that has a destination argument, and yield the others."""
    grads = any(isinstance(v, Tensor) and v.requires_grad for v in passed.values())
    if name in OUTS and list(destinations) == list(OUTS[name].names) and not grads:
        OUTS[name].op(**passed, **destinations)
        return iter(())
    made = op(**passed)
    results = dict(zip((each.name for each in op._schema.returns), _tuple(made)))
    for own, tensor in destinations.items():
        tensor.copy_(results[own])
    return iter([results[own] for own in outputs if own not in destinations])


def _tuple(made: Any) -> tuple[Any, ...]:
    return tuple(made) if isinstance(made, (tuple, list)) else (made,)
