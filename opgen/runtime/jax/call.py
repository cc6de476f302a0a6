"""One call of a kernel, with all that is known of it while tracing. Rendered by opgen."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import jax

from ..core.runtime import TensorSpec
from .arrays import spec_of
from .forms import chosen, group_ranks, memory_order
from .kernel import Kernel, Orders

# Over which dim, how, and the position of the result that the mean is weighted by.
Reduce = tuple[tuple[str, str, int | None], ...]


@dataclass(frozen=True)
class Call:
    """A call whose arrays are in flat lists: `operands`, `results`.

    `inputs` and `outputs` hold the shape of each array, as the spec writes it, and `reduce`
    how each result is reduced; `split` names the dims that may be split, and `begins` pairs
    operands that say where a dim begins with its name. `orders` are those of the inputs' dims
    in memory. `given` and `found` are the trees of the arguments and the results: what is
    absent, how long the lists are. `updates` pairs operands with the results that take their
    place, `wanted` names the results on request that are computed.

    The kernel runs once for every index of some leading axes. `loops` has an entry for each
    of them, outermost first: which operands have it; the others have size 1 there.
    """

    kernel: Kernel
    attrs: tuple[tuple[str, Any], ...]
    given: jax.tree_util.PyTreeDef
    found: jax.tree_util.PyTreeDef
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    reduce: tuple[Reduce, ...]
    split: tuple[str, ...] = ()
    orders: Orders = ()
    updates: tuple[tuple[int, int], ...] = ()
    begins: tuple[tuple[int, str], ...] = ()
    wanted: tuple[str, ...] = ()
    loops: tuple[tuple[bool, ...], ...] = ()

    @property
    def op(self) -> str:
        return self.kernel.core.name

    def infer(self, shapes: Sequence[tuple[Any, ...]], dtypes: Sequence[Any]) -> list[TensorSpec]:
        """The results for operands of these shapes (loop axes included) and dtypes."""
        lead = tuple(shapes[carried.index(True)][axis] for axis, carried in enumerate(self.loops))
        inputs = self.slices(shapes, dtypes)
        results = results_of(self.kernel, inputs, dict(self.attrs), self.wanted)
        specs = jax.tree.leaves(results, is_leaf=is_spec)
        return [
            spec._replace(shape=(*lead, *spec.shape), order=self.order(spec.order))
            for spec in specs
        ]

    def order(self, order: Sequence[int] | None) -> tuple[int, ...] | None:
        """The order of dims in memory of an array whose loop axes come first."""
        count = len(self.loops)
        if order is None:
            return None
        return (*range(count), *(dim + count for dim in order))

    def input_orders(self, ranks: Sequence[int]) -> list[tuple[int, ...] | None]:
        """The orders of the dims of operands of these ranks (loop axes included)."""
        if not any(self.orders):
            return [None for _ in ranks]
        shapes = [shape.split() for shape in self.inputs]
        inner = [rank - len(self.loops) for rank in ranks]
        known = group_ranks(shapes, inner)
        return [
            None if order is None else self.order(memory_order(order, terms, rank, known))
            for order, terms, rank in zip(self.orders, shapes, inner, strict=True)
        ]

    def describe(self, shapes: Sequence[tuple[Any, ...]], dtypes: Sequence[Any]) -> bytes:
        """The packed descriptor for operands of these shapes (loop axes included).

        Raises ValueError for symbolic sizes, which bytes cannot hold.
        """
        symbolic = [shape for shape in shapes if not all(map(is_fixed, shape))]
        if symbolic:
            raise ValueError(
                f"{self.op}: a packed descriptor needs sizes that are known, got "
                f"{symbolic[0]}: export with fixed sizes, or without "
                '`jax.attrs = "packed"` in the spec'
            )
        inputs = self.slices(shapes, dtypes)
        return self.kernel.describe(inputs, dict(self.attrs))

    def unmet(
        self, platform: str, shapes: Sequence[tuple[Any, ...]], dtypes: Sequence[Any]
    ) -> list[str]:
        """What the kernel for `platform` requires and operands like these do not give it."""
        inputs = self.slices(shapes, dtypes)
        return self.kernel.unmet(platform, inputs, dict(self.attrs), self.wanted)

    def argument_names(self) -> list[str]:
        """The name of every operand; those of a list have an index."""
        return _names(self.kernel.arguments, self.given)

    def result_names(self, operands: Sequence[Any]) -> list[str]:
        """The name of every result for operands like these (loop axes included)."""
        inputs = self.slices([x.shape for x in operands], [x.dtype for x in operands])
        made = self.kernel.infer(inputs, dict(self.attrs), self.wanted)
        updated = [self.kernel.arguments[position] for position in self.kernel.updates]
        return _names([*made._fields, *updated], self.found)

    def slices(self, shapes: Sequence[tuple[Any, ...]], dtypes: Sequence[Any]) -> Any:
        """The arguments of one run of the kernel."""
        count = len(self.loops)
        inner = [jax.ShapeDtypeStruct(shape[count:], dtype) for shape, dtype in zip(shapes, dtypes)]
        return jax.tree.unflatten(self.given, inner)


def call_of(
    kernel: Kernel, inputs: Sequence[Any], attrs: Mapping[str, Any], wanted: Collection[str] = ()
) -> Call:
    """The call of `kernel` with these arguments; an empty list is an absent one."""
    wanted = tuple(name for name in kernel.on_request if name in wanted)
    inputs = tuple(None if isinstance(x, list | tuple) and not x else x for x in inputs)
    made = kernel.infer(inputs, attrs, wanted)
    positions = kernel.updates_of(inputs, attrs)
    results = (*made, *_updated(inputs, positions))
    shapes, outputs, split = kernel.case_of(inputs, attrs)
    shapes = chosen(shapes, inputs)
    outputs = (*outputs, *(shapes[position] for position in kernel.updates))
    reduce = _reductions(kernel.reduce_of(inputs, attrs), made, len(results))
    return Call(
        kernel=kernel,
        attrs=tuple(attrs.items()),
        given=jax.tree.structure(inputs),
        found=jax.tree.structure(results, is_leaf=is_spec),
        inputs=tuple(_each(shapes, inputs)),
        outputs=tuple(_each(outputs, results)),
        reduce=tuple(_each(reduce, results)),
        split=split,
        orders=tuple(_each(kernel.orders_of(inputs, attrs), inputs)),
        updates=tuple(_updates(positions, inputs, results)),
        begins=tuple(_begins(kernel, inputs)),
        wanted=wanted,
    )


def _reductions(reduce: Sequence[Mapping[str, str]], made: Any, count: int) -> list[Reduce]:
    """`reduce`, with the position of the array in place of the name in `mean(count)`."""

    def each(dim: str, how: str) -> tuple[str, str, int | None]:
        kind, _, weight = how.rstrip(")").partition("(")
        before = made[: made._fields.index(weight)] if weight else ()
        return dim, kind, sum(map(_count, before)) if weight else None

    if not reduce:
        return [()] * count
    return [tuple(each(dim, how) for dim, how in kinds.items()) for kinds in reduce]


def results_of(
    kernel: Kernel, inputs: Sequence[Any], attrs: Mapping[str, Any], wanted: Sequence[str]
) -> tuple[Any, ...]:
    """The `TensorSpec` of each output, then of each updated input."""
    made = kernel.infer(inputs, attrs, wanted)
    return (*made, *_updated(inputs, kernel.updates_of(inputs, attrs)))


def _updated(inputs: Sequence[Any], positions: Sequence[int | None]) -> Iterator[Any]:
    """The result for each input that some calls update; None where this one does not."""
    return (None if n is None else spec_of(inputs[n]) for n in positions)


def is_fixed(size: Any) -> bool:
    """Whether a size is a number, not symbolic."""
    return isinstance(size, int)


def is_spec(value: Any) -> bool:
    return isinstance(value, TensorSpec)


def _count(value: Any) -> int:
    """How many arrays an argument or a result is."""
    if value is None:
        return 0
    return len(value) if isinstance(value, list | tuple) and not is_spec(value) else 1


def _each(items: Sequence[Any], values: Sequence[Any]) -> Iterator[Any]:
    """What is said of each argument, for each of its arrays; `s[i]` is the i-th's own."""
    for item, value in zip(items, values, strict=True):
        for index in range(_count(value)):
            is_shape = isinstance(item, str)
            yield item.replace("[i]", f"[{index}]") if is_shape else item


def _updates(
    positions: Sequence[int | None], inputs: Sequence[Any], results: Sequence[Any]
) -> Iterator[tuple[int, int]]:
    """Pairs of an operand and the result that takes its place."""
    to = sum(map(_count, results[: len(results) - len(positions)]))
    for position in (n for n in positions if n is not None):
        start = sum(map(_count, inputs[:position]))
        for index in range(_count(inputs[position])):
            yield start + index, to
            to += 1


def _begins(kernel: Kernel, inputs: Sequence[Any]) -> Iterator[tuple[int, str]]:
    """Pairs of an operand, and the dim whose begin it is."""
    for position, name in kernel.begins.items():
        yield sum(map(_count, inputs[:position])), name


def _names(names: Sequence[str], tree: jax.tree_util.PyTreeDef) -> list[str]:
    """The name of every array of some arguments or results."""
    found = []
    for name, child in zip(names, tree.children()):
        arrays = range(child.num_leaves)
        is_list = child.node_data() is not None and child.node_data()[0] is list
        found += [f"{name}[{n}]" if is_list else name for n in arrays]
    return found
