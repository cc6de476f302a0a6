"""Shared parts of the modules in `core`: tensor specs and checks.

Every check names the op, the argument, the expected and the actual value. Wrong dtypes, ranks and
kinds raise TypeError; wrong sizes and values raise ValueError.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from math import prod
from typing import Any, Generic, NamedTuple, TypeVar

from .dtypes import DTYPES, accum, promote, real
from .facts import OpFacts

__all__ = ["DTYPES", "accum", "prod", "promote", "real"]

R = TypeVar("R")


class TensorSpec(NamedTuple):
    """The shape and dtype of a tensor. Sizes may be symbolic, and the dtype is its name.

    `order` is the memory order: the dims from the slowest-varying to the fastest. None means
    row-major. `like` names an input with the same memory order.
    """

    shape: tuple[Any, ...]
    dtype: str
    order: tuple[int, ...] | None = None
    like: str | None = None


class Launch(NamedTuple, Generic[R]):
    """The results of a call, as `TensorSpec`s, and other values that kernels receive, or that the
    choice of kernel depends on.

    `descriptor` holds the values of the descriptor's fields. `grid` is the grid of a kernel that
    Python launches, and `sizes` has the arguments of a Pallas kernel.

    `require` has the requirements of each platform's kernel and of each case of the gradient. A
    requirement is a pair: whether the call meets it, and its text. `sizes` and `require` are
    functions, to delay the reading of sizes that may be symbolic.

    `attrs` are the call's attrs, including defaults. `tuned` has the dtypes and sizes that select
    the tuned values.
    """

    results: R
    descriptor: tuple[Any, ...] = ()
    grid: tuple[Any, ...] = ()
    sizes: Callable[[], dict[str, Any]] = dict
    require: Mapping[str, Callable[[], tuple[tuple[Any, str], ...]]] = {}
    tuned: Mapping[str, Callable[[], tuple[tuple[str, ...], tuple[int, ...]]]] = {}
    attrs: dict[str, Any] = {}

    def unmet(self, by: str) -> list[str]:
        """Return the requirements of a kernel or of a gradient case that the call does not meet.

        `by` is a platform, a listed kernel such as `"cpu.fast"`, or a case such as `"gradient 1"`.
        """
        needs = self.require.get(by, tuple)
        return [text for holds, text in needs() if not holds]


@dataclass(frozen=True)
class CoreOp:
    """The functions of one op that need no framework.

    `infer` checks a call and returns its results as `TensorSpec`s. `bind` also checks a call, but
    returns a `Launch`. `bind` is None if Python needs only the results. `values` names the inputs
    whose elements have a condition in the spec. `sized_by` lists the properties of the device on
    which sizes depend: `arch`, `sms`. `op_hash` is a hash of the op's layout, spec and reference.
    Custom calls in JAX contain it.
    """

    name: str
    facts: OpFacts
    infer: Callable[..., Any]
    pack: Callable[..., bytes]
    unpack: Callable[[bytes], dict[str, object]]
    bind: Callable[..., Launch[Any]] | None = None
    values: tuple[str, ...] = ()
    sized_by: tuple[str, ...] = ()
    op_hash: int = 0

    def __reduce__(self) -> tuple[Callable[[str, str], CoreOp], tuple[str, str]]:
        """Pickle the op by its name, because `facts` holds functions.

        The program that unpickles the op must have the same package.
        """
        return _op_of, (self.infer.__module__, self.name)

    def complete(self, /, *args: Any, **kwargs: Any) -> dict[str, Any]:
        """Return all attrs of a call. Missing attrs get defaults, which can depend on sizes."""
        if self.bind is None:
            return kwargs
        found = kwargs | self.bind(*args, **kwargs).attrs
        return {name: value for name, value in found.items() if name not in self.sized_by}


def _op_of(module: str, name: str) -> CoreOp:
    found: CoreOp = getattr(import_module(module), name)
    return found


# The facts about the CPU on which sizes may depend. They must not depend on the current number of
# threads. Otherwise sizes would differ from those of programs that were compiled earlier.
_CORES = os.sched_getaffinity(0) if sys.platform == "linux" else range(os.cpu_count() or 1)
HOST = {"arch": 0, "sms": len(_CORES)}


def amd_arch(name: str) -> int:
    """Return the number that represents an AMD architecture in the requirements of specs.

    The number is 100 * major + 10 * minor + stepping. For example, `gfx90a:sramecc+` is version
    9.0.10 and becomes 900 + 0 + 10 = 910.
    """
    digits = name.partition(":")[0].removeprefix("gfx")
    return 100 * int(digits[:-2]) + 10 * int(digits[-2], 16) + int(digits[-1], 16)


def check_known(op: str, size: str, **facts: int | None) -> None:
    """Raise ValueError if one of `facts` is None. They are the device properties that determine the
    default of the argument `size`.
    """
    for name, value in facts.items():
        if value is None:
            raise ValueError(
                f"{op}: {size}: expected it to be given: it follows from the device's {name}, "
                "which is not known here"
            )


def bits(dtype: str) -> int:
    """Return the size of one element, in bits."""
    return DTYPES[dtype].bits


def ceildiv(a: Any, b: Any) -> Any:
    """Return `a / b`, rounded up."""
    return -(-a // b)


def roundup(a: Any, b: Any) -> Any:
    """Return the smallest multiple of `b` that is at least `a`."""
    return ceildiv(a, b) * b


def numel(tensor: TensorSpec | Sequence[TensorSpec]) -> Any:
    """Return the number of elements of a tensor, or of a list of tensors."""
    if isinstance(tensor, TensorSpec):
        return prod(tensor.shape)
    return sum(prod(each.shape) for each in tensor)


def indexable(*tensors: TensorSpec | Sequence[TensorSpec] | None) -> bool:
    """Return whether 32-bit indices can address every element of each present tensor."""
    lists = ([t] if isinstance(t, TensorSpec) else t or [] for t in tensors)
    return all(prod(each.shape) < 2**31 for tensors in lists for each in tensors)


def item(values: Sequence[Any], index: int, op: str, name: str) -> Any:
    """Return `values[index]`. Raise ValueError if the list, which the spec calls `name`, is too
    short.
    """
    if not -len(values) <= index < len(values):
        raise ValueError(f"{op}: {name}: expected a value at {index}, got {len(values)} values")
    return values[index]


def stride(tensor: TensorSpec, dim: int) -> Any:
    """Return the stride of `dim` in a contiguous tensor, in elements."""
    return prod(tensor.shape[dim % len(tensor.shape) + 1 :])


def memory_order(widths: Sequence[int], terms: Sequence[int]) -> tuple[int, ...]:
    """Return the memory order of a tensor: its dims, from the slowest-varying to the fastest.

    `terms` lists the terms of the tensor's shape, by index, in memory order. `widths` has the
    number of dims of each term. If the tensor has too few dims for the shape, return the row-major
    order.
    """
    if any(width < 0 for width in widths):
        return tuple(range(sum(widths)))
    starts = [sum(widths[:term]) for term in range(len(widths))]
    return tuple(starts[term] + i for term in terms for i in range(widths[term]))


def check_rank(
    op: str,
    name: str,
    tensor: Any,
    shape: str,
    *,
    exactly: int | None = None,
    at_least: int = 0,
    of: str = "",
) -> None:
    """Check the rank of argument `name`, a tensor or a list, whose shape in the spec is `shape`.

    `of` names the arguments that determined the sizes in this shape.
    """
    several = not isinstance(tensor, TensorSpec)
    for i, each in enumerate(tensor if several else (tensor,)):
        rank = len(each.shape)
        if rank == exactly or (exactly is None and rank >= at_least):
            continue
        wanted = f"at least {at_least}" if exactly is None else str(exactly)
        place = f"[{i}]" if several else ""
        raise TypeError(
            f"{op}: {name}{place}: expected {wanted} dims (`{shape}`{of and ', '}{of}), "
            f"got {rank}: shape {_sizes(each.shape)}"
        )


def check_count(op: str, name: str, tensors: Sequence[Any], count: Any, of: str) -> None:
    """Check the length of the list `name`. `of` names the argument that determined `count`."""
    if len(tensors) != count:
        raise ValueError(f"{op}: {name}: expected {count} tensors, {of}, got {len(tensors)}")


def choose_form(
    op: str, name: str, tensor: TensorSpec, ranks: Sequence[int], shapes: str, of: str = ""
) -> int:
    """Return the index of the first of `ranks` that is the rank of argument `name`.

    Each rank belongs to one of the argument's possible shapes, which `shapes` describes.
    """
    for form, rank in enumerate(ranks):
        if len(tensor.shape) == rank:
            return form
    where = f" ({of})" if of else ""
    raise TypeError(f"{op}: {name}: expected {shapes}{where}, got shape {_sizes(tensor.shape)}")


def solve(
    op: str, name: str, term: str, dim: str, size: Any, factor: Any, offset: Any, of: str = ""
) -> Any:
    """Return the value of `dim` for which `factor * dim + offset` is `size`.

    Raise ValueError if no integer `dim` >= 0 satisfies this equation. `term` is the expression in
    the spec, for the message.
    """
    # If the factor is 0, no size determines `dim`.
    unsolvable = isinstance(factor, int) and factor == 0
    value = 0 if unsolvable else (size - offset) // factor
    solved = not unsolvable and is_true(value * factor + offset == size)
    if not solved or not is_true(value >= 0):
        raise ValueError(
            f"{op}: {name}: expected a size of the form `{term}` with an integer "
            f"{dim} >= 0{of and f' ({of})'}, got {size}"
        )
    return value


def check_shape(
    op: str,
    name: str,
    tensor: TensorSpec,
    expected: Sequence[Any],
    shape: str,
    /,
    **origins: tuple[str, Any],
) -> None:
    """Check the sizes of argument `name` against `expected`.

    `origins` maps each dim to its value and to the name of the argument that determined the value.
    For an attr, this name is "".
    """
    if len(tensor.shape) == len(expected) and all(
        is_true(got == wanted) for got, wanted in zip(tensor.shape, expected)
    ):
        return
    where = ", ".join(
        f"{dim} = {_shown(value)}{argument and ' of '}{argument}"
        for dim, (argument, value) in origins.items()
    )
    reason = f" (`{shape}`, {where})" if where else f" (`{shape}`)"
    raise ValueError(
        f"{op}: {name}: expected shape {_sizes(expected)}{reason}, got {_sizes(tensor.shape)}"
    )


def is_true(condition: Any) -> bool:
    """Return whether a condition on sizes holds.

    In a traced program, a condition that depends on run-time values is checked at run time.
    """
    if isinstance(condition, bool):  # Dynamo traces this and treats a symbol as a bool
        return condition
    node = getattr(condition, "node", None)  # the node of a PyTorch SymBool
    return bool(condition if node is None else node.expect_true(__file__, 0))


def require(op: str, holds: Any, text: str, of: str = "", /, **values: Any) -> None:
    """Raise ValueError if a requirement of the spec, `text`, does not hold for a call.

    `of` names the arguments that determined the sizes and dtypes in the requirement.
    """
    if not is_true(holds):
        got = ", ".join(f"{name} = {_shown(value)}" for name, value in values.items())
        where = f" ({of})" if of else ""
        raise ValueError(f"{op}: requires {text}{got and ', got '}{got}{where}")


def check_memory(op: str, results: Any) -> None:
    """Check that the byte count of each result fits in 64 bits. `results` is a named tuple of
    `TensorSpec`s.
    """
    for name, result in zip(results._fields, results):
        for each in result if isinstance(result, list) else [result]:
            if each is None or not all(isinstance(size, int) for size in each.shape):
                continue  # absent, or with symbolic sizes
            if prod(each.shape) * bits(each.dtype) >= 2**66:
                shape = _sizes(each.shape)
                raise ValueError(f"{op}: {name}: expected less than 2**63 bytes, got shape {shape}")


def check_values(op: str, name: str, array: Any, holds: Any, text: str, /, **values: Any) -> None:
    """Check the elements of argument `name`, a NumPy array. `text` is the condition in words.

    `holds` is a boolean array: it is True for the elements that meet the condition.
    """
    import numpy as np  # only this check needs it

    wrong = np.argwhere(~np.broadcast_to(holds, array.shape))
    if len(wrong):
        index = tuple(map(int, wrong[0]))
        place = f" at {list(index)}" if index else ""
        where = ", ".join(f"{name} = {value}" for name, value in values.items())
        raise ValueError(
            f"{op}: {name}: expected {text}{where and ' with '}{where}, got {array[index]}{place}"
        )


def are_offsets(array: Any, last: Any = None) -> Any:
    """Return a boolean array that is True for the elements of a NumPy array that are valid offsets.

    The offsets in each row of the last dim must start at 0, never decrease, and end at `last`.
    """
    holds = array == 0
    holds[..., 1:] = array[..., 1:] >= array[..., :-1]
    if last is not None:
        holds[..., -1:] &= array[..., -1:] == last
    return holds


def ascending(array: Any) -> Any:
    """Return a boolean array that is True for elements that are at least the previous element.

    Elements are compared along the last dim.
    """
    holds = array == array
    holds[..., 1:] &= array[..., 1:] >= array[..., :-1]
    return holds


def distinct(array: Any) -> Any:
    """Return a boolean array that is True for elements that differ from all previous elements.

    Elements are compared along the last dim.
    """
    import numpy as np  # only this check needs it

    order = array.argsort(axis=-1, kind="stable")
    row = np.take_along_axis(array, order, axis=-1)
    new = array == array
    new[..., 1:] = row[..., 1:] != row[..., :-1]
    holds = np.empty_like(new)
    np.put_along_axis(holds, order, new, axis=-1)
    return holds


def _shown(value: Any) -> str:
    """Return a value's text for messages; for a tensor, its shape."""
    if isinstance(value, TensorSpec):
        return _sizes(value.shape)
    return _sizes([_shown(each) for each in value]) if isinstance(value, tuple) else str(value)


def _sizes(shape: Sequence[Any]) -> str:
    """Return a shape's text for messages: `(8, 128)`."""
    return "(" + ", ".join(map(str, shape)) + ("," if len(shape) == 1 else "") + ")"
