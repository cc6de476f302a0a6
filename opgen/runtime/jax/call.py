"""One call of a kernel, with everything that is known while JAX traces."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import jax
from jax.sharding import PartitionSpec

from ..core.dims import Ranks, extent, fitting, group_ranks, own, size_in
from ..core.facts import Input, Result, Shape, value_in
from ..core.runtime import TensorSpec
from .arrays import spec_of
from .gradients import TypeOf
from .kernel import Kernel

# The reductions of a result: the dim, the kind, and for a mean the position of its weight (the
# number of elements) among the results.
Reduce = tuple[tuple[str, str, int | None], ...]


@dataclass(frozen=True)
class Call:
    """A call whose arrays are in two flat lists: `operands` and `results`."""

    # The kernel that runs.
    kernel: Kernel
    # The attrs, by name.
    attrs: tuple[tuple[str, Any], ...]
    # The pytrees of the arguments and the results. They include absent values and list lengths.
    given: jax.tree_util.PyTreeDef
    found: jax.tree_util.PyTreeDef
    # The shape of each operand and of each result, as terms of the spec.
    inputs: tuple[Shape, ...]
    outputs: tuple[Shape, ...]
    # The reductions of each result.
    reduce: tuple[Reduce, ...]
    # The dims that may be split.
    split: tuple[str, ...] = ()
    # For each operand: the terms that vary fastest in memory. None means row-major.
    orders: tuple[tuple[str, ...] | None, ...] = ()
    # Pairs: an updated operand, and the result with the operand's new value.
    updates: tuple[tuple[int, int], ...] = ()
    # Pairs: an operand that holds the start index of a dim, and the dim's name.
    begins: tuple[tuple[int, str], ...] = ()
    # Of the results that are computed only on request: those that this call requests.
    wanted: tuple[str, ...] = ()
    # The leading axes of a loop that runs the kernel once for each index, outermost first. An entry
    # has True for each operand with this axis. Other operands have size 1 there.
    loops: tuple[tuple[bool, ...], ...] = ()
    # The final split of each result on explicit meshes, if the caller decides it.
    placed: tuple[PartitionSpec, ...] | None = None

    @property
    def op(self) -> str:
        return self.kernel.core.name

    def infer(self, shapes: Sequence[tuple[Any, ...]], dtypes: Sequence[Any]) -> list[TensorSpec]:
        """Return the spec of each result, for operands with these dtypes and these shapes
        (including loop axes).
        """
        lead = tuple(shapes[carried.index(True)][axis] for axis, carried in enumerate(self.loops))
        inputs = self.slices(shapes, dtypes)
        results = results_of(self.kernel, inputs, dict(self.attrs), self.wanted)
        specs = jax.tree.leaves(results, is_leaf=is_spec)
        return [
            spec._replace(shape=(*lead, *spec.shape), order=self.order(spec.order))
            for spec in specs
        ]

    def order(self, order: Sequence[int] | None) -> tuple[int, ...] | None:
        """Return a memory order that also covers the loop axes, which come before the dims in
        `order`.
        """
        count = len(self.loops)
        if order is None:
            return None
        return (*range(count), *(dim + count for dim in order))

    def input_orders(self, ranks: Sequence[int]) -> list[tuple[int, ...] | None]:
        """Return the memory order of each operand, for operands of these ranks (including loop
        axes).

        None means row-major.
        """
        if not any(self.orders):
            return [None for _ in ranks]
        inner = [rank - len(self.loops) for rank in ranks]
        known = group_ranks(self.inputs, inner)
        return [
            None if order is None else self.order(_memory_order(order, shape, rank, known))
            for order, shape, rank in zip(self.orders, self.inputs, inner, strict=True)
        ]

    def unmet(
        self, platform: str, shapes: Sequence[tuple[Any, ...]], dtypes: Sequence[Any]
    ) -> list[str]:
        """Return the requirements of the kernel for `platform` that operands of these shapes do not
        meet.
        """
        inputs = self.slices(shapes, dtypes)
        return self.kernel.unmet(platform, inputs, dict(self.attrs), self.wanted)

    def argument_names(self) -> list[str]:
        """Return the name of every operand. Operands in a list have an index."""
        return _names(self.kernel.arguments, self.given)

    def result_names(self, operands: Sequence[Any]) -> list[str]:
        """Return the name of every result for these operands, whose shapes include loop axes."""
        inputs = self.slices([x.shape for x in operands], [x.dtype for x in operands])
        made = self.kernel.infer(inputs, dict(self.attrs), self.wanted)
        updated = [self.kernel.arguments[position] for position in self.kernel.updates]
        return _names([*made._fields, *updated], self.found)

    def slices(self, shapes: Sequence[tuple[Any, ...]], dtypes: Sequence[Any]) -> Any:
        """Return the kernel's arguments for one index of the batch, as shapes and dtypes."""
        count = len(self.loops)
        inner = [jax.ShapeDtypeStruct(shape[count:], dtype) for shape, dtype in zip(shapes, dtypes)]
        return jax.tree.unflatten(self.given, inner)


def call_of(
    kernel: Kernel, inputs: Sequence[Any], attrs: Mapping[str, Any], wanted: Collection[str] = ()
) -> Call:
    """Return the `Call` of `kernel` with these arguments. An empty list counts as absent."""
    wanted = tuple(name for name in kernel.on_request if name in wanted)
    inputs = tuple(None if isinstance(x, list | tuple) and not x else x for x in inputs)
    made = kernel.infer(inputs, attrs, wanted)
    facts, arguments = kernel.facts, kernel.given(inputs, attrs)
    positions = _positions(kernel, arguments)
    results = (*made, *_updated(inputs, positions))
    written: tuple[Input | Result, ...] = (
        *facts.results,
        *(facts.inputs[position] for position in kernel.updates),
    )
    forms = [
        own(value_in(each.forms, arguments), number)
        for each, value in zip(facts.inputs, inputs)
        for number in range(_count(value))
    ]
    ranks = [len(x.shape) for x in jax.tree.leaves(inputs)]
    known = {name: len(value) for name, value in attrs.items() if isinstance(value, tuple)}
    shapes = fitting(forms, ranks, known)
    outputs = [
        own(value_in(each.forms, arguments), number)[0]
        for each, value in zip(facts.results, made, strict=True)
        for number in range(_count(value))
    ]
    updates = tuple(_updates(positions, inputs, results))
    reduce = [tuple(_reductions(kernel, each, arguments, made)) for each in written]
    orders = [value_in(each.order, arguments) for each in facts.inputs]
    split = value_in(facts.split, arguments)
    return Call(
        kernel=kernel,
        attrs=tuple(attrs.items()),
        given=jax.tree.structure(inputs),
        found=jax.tree.structure(results, is_leaf=is_spec),
        inputs=tuple(shapes),
        outputs=(*outputs, *(shapes[operand] for operand, _ in updates)),
        reduce=tuple(_each(reduce, results)),
        split=tuple(name for name in split if name not in facts.indivisible),
        orders=tuple(_each(orders, inputs)),
        updates=updates,
        begins=tuple(_begins(kernel, inputs)),
        wanted=wanted,
    )


def size_of(kernel: Kernel, name: str, /, *inputs: Any, **attrs: Any) -> Any:
    """Return the size of dim `name`, or the sizes of a group, from an input whose shape has the
    term `name`.

    Return 0 if no present input has this term. In this case the spec does not use the size.
    """
    inputs = tuple(x.aval if isinstance(x, TypeOf) else x for x in inputs)
    arguments = kernel.given(inputs, attrs)
    given = [
        (value_in(each.forms, arguments), arguments[each.name].shape)
        for each in kernel.facts.inputs
        if is_spec(arguments[each.name])
    ]
    sizes = [shape for _, shape in given]
    found = size_in(name, fitting([forms for forms, _ in given], [*map(len, sizes)]), sizes)
    return 0 if found is None else found


def _positions(kernel: Kernel, arguments: Mapping[str, Any]) -> list[int | None]:
    """Return the position of each input that the kernel may update. The position is None if this
    call does not update the input.
    """
    inputs = kernel.facts.inputs
    return [n if value_in(inputs[n].updated, arguments) else None for n in kernel.updates]


def _memory_order(
    order: tuple[str, ...], shape: Shape, rank: int, ranks: Ranks
) -> tuple[int, ...] | None:
    """Return the memory order of an array: its dims, from the slowest-varying to the fastest.

    `order` names the terms that vary fastest, the fastest last. All other dims precede them.
    """
    spans, first = {}, 0
    for term in shape:
        width = extent((term,), ranks)
        spans[term.text] = range(first, first + width)
        first += width
    dims = [dim for name in order if name in spans for dim in spans[name]]
    return (*(dim for dim in range(rank) if dim not in dims), *dims)


def _reductions(
    kernel: Kernel, of: Input | Result, arguments: Mapping[str, Any], made: Any
) -> Iterator[tuple[str, str, int | None]]:
    """Yield each reduction of an array as a tuple, as in `Reduce`."""
    for dim, choice in of.reduce.items():
        kind, weight = value_in(choice, arguments)
        if dim not in kernel.facts.indivisible:
            before = made[: made._fields.index(weight)] if weight else ()
            yield dim, kind, sum(map(_count, before)) if weight else None


def results_of(
    kernel: Kernel, inputs: Sequence[Any], attrs: Mapping[str, Any], wanted: Sequence[str]
) -> tuple[Any, ...]:
    """Return the `TensorSpec` of each output, then of each updated input."""
    made = kernel.infer(inputs, attrs, wanted)
    return (*made, *_updated(inputs, _positions(kernel, kernel.given(inputs, attrs))))


def _updated(inputs: Sequence[Any], positions: Sequence[int | None]) -> Iterator[Any]:
    """Yield the `TensorSpec` of each input that the kernel may update, or None if this call does
    not update the input.
    """
    return (None if n is None else spec_of(inputs[n]) for n in positions)


def is_spec(value: Any) -> bool:
    return isinstance(value, TensorSpec)


def _count(value: Any) -> int:
    """Return the number of arrays in an argument or a result."""
    if value is None:
        return 0
    return len(value) if isinstance(value, list | tuple) and not is_spec(value) else 1


def _each(items: Sequence[Any], values: Sequence[Any]) -> Iterator[Any]:
    """Yield `items[n]` once for each array in the argument `values[n]`, for every n."""
    for item, value in zip(items, values, strict=True):
        yield from (item for _ in range(_count(value)))


def _updates(
    positions: Sequence[int | None], inputs: Sequence[Any], results: Sequence[Any]
) -> Iterator[tuple[int, int]]:
    """Yield pairs of an operand and the result that replaces it."""
    to = sum(map(_count, results[: len(results) - len(positions)]))
    for position in (n for n in positions if n is not None):
        start = sum(map(_count, inputs[:position]))
        for index in range(_count(inputs[position])):
            yield start + index, to
            to += 1


def _begins(kernel: Kernel, inputs: Sequence[Any]) -> Iterator[tuple[int, str]]:
    """Yield pairs of an operand and the dim whose start index it holds."""
    for position, each in enumerate(kernel.facts.inputs):
        if each.begin:
            yield sum(map(_count, inputs[:position])), each.begin


def _names(names: Sequence[str], tree: jax.tree_util.PyTreeDef) -> list[str]:
    """Return the name of each array in a tree of arguments. An array in a list gets an index."""
    found = []
    for name, child in zip(names, tree.children()):
        arrays = range(child.num_leaves)
        is_list = child.node_data() is not None and child.node_data()[0] is list
        found += [f"{name}[{n}]" if is_list else name for n in arrays]
    return found
