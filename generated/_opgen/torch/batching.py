"""Support for `torch.func.vmap` of an op, and for the older vmap of batched gradients."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import torch
from torch import Tensor
from torch.utils._pytree import tree_map_only

from .call import Call
from .kinds import tensors_in


def batching_rule(op: torch._ops.OpOverload, call: Call) -> Callable[..., Any]:
    """Return the rule for `torch.library.register_vmap`.

    If every batched input can take the batch axis as an additional leading dim, the rule calls the
    op once. Otherwise it calls the op for each element of the batch.
    """

    def rule(info: Any, in_dims: tuple[Any, ...], *args: Any, **kwargs: Any) -> Any:
        arguments = call.bind(args, kwargs)
        dims = {n: d for n, d in zip(arguments, in_dims) if _is_batched(d)}
        given = {n for n, value in arguments.items() if _is_given(value)}
        fixed = (given & {*call.updated}) - dims.keys()
        if fixed:
            names = ", ".join(sorted(fixed))
            raise ValueError(
                f"{call.name}: {names}: it is updated in place, so `torch.vmap` must map over it "
                "too: give it a copy for each call, `x.expand(n, *x.shape).clone()`"
            )
        if dims.keys() <= call.folds:
            results = op(*_folded(arguments, dims, call.folds, info.batch_size).values())
        else:
            results = _looped(op, arguments, dims, info.batch_size)
        return results, _leading(results)

    return rule


def batched_kernel(rule: Callable[..., Any], call: Call) -> Callable[..., Any]:
    """Return a kernel for the dispatch key Batched that applies `rule`.

    `is_grads_batched=True` and `vectorize=True` use this key. PyTorch's own kernel for it accepts
    only ops whose results are all tensors.
    """

    def kernel(*args: Any, **kwargs: Any) -> Any:
        given = call.bind(args, kwargs).values()
        tensors = [tensor for value in given for tensor in tensors_in(value)]
        level = torch._C._vmapmode_increment_nesting()
        torch._C._vmapmode_decrement_nesting()
        size = None
        while size is None and level:  # find the innermost vmap that maps over an argument
            level -= 1
            size = next(filter(_is_batched, (_mapped(x, level) for x in tensors)), None)
        values, dims = zip(*(_without(value, level) for value in given))
        results, _ = rule(SimpleNamespace(batch_size=size), dims, *values)
        return tree_map_only(Tensor, lambda x: torch._add_batch_dim(x, 0, level), results)

    return kernel


def _mapped(tensor: Tensor, level: int) -> int | None:
    """Return the size of the vmap `level`, or None if it does not map over the tensor."""
    sizes = {len(torch._remove_batch_dim(tensor, level, size, 0)) for size in (0, 1)}
    return sizes.pop() if len(sizes) == 1 else None


def _without(value: Any, level: int) -> tuple[Any, Any]:
    """Return an argument without the vmap `level`, and the position of its batch axis."""
    if isinstance(value, (list, tuple)):
        pairs = [_without(each, level) for each in value]
        return [each for each, _ in pairs], [dim for _, dim in pairs]
    if not isinstance(value, Tensor) or _mapped(value, level) is None:
        return value, None
    return torch._remove_batch_dim(value, level, 0, 0), 0


def _is_given(value: Any) -> bool:
    """Return whether an argument is present: not None, and not an empty list."""
    return value is not None and not (isinstance(value, (list, tuple)) and not value)


def _is_batched(dim: Any) -> bool:
    if isinstance(dim, (list, tuple)):
        return any(each is not None for each in dim)
    return dim is not None


def _folded(
    arguments: dict[str, Any], dims: dict[str, int], fold: frozenset[str], size: int
) -> dict[str, Any]:
    """Return the arguments, in which each input in `fold` has the batch axis as its first dim."""
    return {
        name: (
            _leading_batch(value, dims.get(name), size)
            if name in fold and value is not None
            else value
        )
        for name, value in arguments.items()
    }


def _looped(
    op: torch._ops.OpOverload, arguments: dict[str, Any], dims: dict[str, Any], size: int
) -> Any:
    """Call the op once for each element of the batch, and return the stacked results.

    If the batch is empty, the op is called once with zeros, to determine the shapes of the results.
    """
    count = max(size, 1)
    rows = {n: _rows(arguments[n], dim, count) for n, dim in dims.items()}
    results = [
        op(*(rows[n][row] if n in rows else v for n, v in arguments.items()))
        for row in range(count)
    ]
    return _stacked(results, size)


def _leading_batch(tensor: Tensor, dim: int | None, size: int) -> Tensor:
    """Return the tensor with the batch axis as its first dim. A tensor without one is expanded."""
    return tensor.expand(size, *tensor.shape) if dim is None else tensor.movedim(dim, 0)


def _rows(value: Any, dim: Any, size: int) -> Any:
    """Return the value of an argument for each element of the batch."""
    if isinstance(dim, (list, tuple)):
        return list(zip(*(_rows(v, d, size) for v, d in zip(value, dim))))
    moved = _leading_batch(value, dim, size)
    return moved.unbind(0) if len(moved) else [moved.new_zeros(moved.shape[1:])]


def _stacked(rows: list[Any], size: int) -> Any:
    if isinstance(rows[0], (list, tuple)):
        return type(rows[0])(_stacked(list(each), size) for each in zip(*rows))
    return None if rows[0] is None else torch.stack(rows)[:size]


def _leading(results: Any) -> Any:
    """Return 0, the position of the batch axis, for each result that is present."""
    if isinstance(results, (list, tuple)):
        return type(results)(_leading(each) for each in results)
    return None if results is None else 0
