"""Print the statements of a handler that receive operands and attributes from XLA."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from opgen.ir.layouts import FREE, Order, arranged, layouts
from opgen.ir.nodes import Attr, Tensor
from opgen.ir.op import Op
from opgen.language.expr.cpp import quoted
from opgen.runtime.core.attrs import ffi_name
from opgen.source.frozen import dataclass
from opgen.spec.cases import Cases
from opgen.targets.cpp import launch
from opgen.targets.cpp.adapters import construct
from opgen.targets.cpp.cpp_format import listing, order_text
from opgen.targets.cpp.names import given, member
from opgen.targets.jax.ffi import type_of, varies


@dataclass(frozen=True)
class ReceivedView:
    """The statements that read the arguments of a call. They are the same in the handlers of all
    platforms.
    """

    # The operands, and their layouts in this call.
    operands: tuple[str, ...]
    arranged: tuple[str, ...]
    # The statement that constructs the checked call.
    call: str
    # The checks of the result buffers that XLA allocated.
    checks: tuple[str, ...]
    # The head of the loop over vmapped calls, and the statements in it that fill tensors.
    slices: str
    fills: tuple[str, ...]


def received(op: Op) -> ReceivedView:
    """Return the statements that read the call's arguments from XLA."""
    read = [t for t in op.inputs if not t.update]
    addresses = [f"&{member(t.name)}" for t in (*op.written, *op.updated, *read)]
    values = [value(op, a) for a in op.attrs] + (["given.wanted()"] if op.on_request else [])
    return ReceivedView(
        operands=tuple(operands(op)),
        arranged=tuple(laid_out(op)),
        call=construct(op, values),
        checks=tuple(map(_check, op.written)),
        slices=listing("opgen::jax::each_slice(op, ctx.reported, {", addresses, "}, [&] {"),
        fills=(*alignments(op), *launch.fills(op)),
    )


def _check(tensor: Tensor) -> str:
    """Return the statement that checks a result buffer against the spec."""
    name = member(tensor.name)
    return f"{'' if tensor.always else f'if (call.{name}present()) '}{name}.expect(call.{name}());"


def operands(op: Op) -> Iterator[str]:
    """Yield the statements that create the operands with their memory orders. An updated input
    shares memory with its result.
    """
    yield from _unordered(op)
    for tensor in op.inputs:
        layout = "" if arranged(op, tensor) else layouts(op, tensor).only
        if isinstance(layout, Order):
            order = order_text(layout)
            order = f"[](int64_t) {{ return {order}; }}" if tensor.list else order
            yield f"{member(tensor.name)}.lay_out({order});"


def _unordered(op: Op) -> Iterator[str]:
    """Yield the statements that create row-major operands."""
    results = (*op.written, *op.updated)
    if not varies(op):
        for t in (*(t for t in op.inputs if not t.update), *results):
            name = member(t.name)
            yield f"opgen::jax::Operand {name}(op, {quoted(t.name)}, {given(t.name)}, batch_dims);"
        return
    yield "opgen::jax::Given given(op, attrs, operands, results);"
    for t in op.inputs:
        if isinstance(t.update, Cases):
            yield f"const auto {member(t.name)}read = given.read{'s' if t.list else ''}();"
            continue
        made = f"given.input{'s' if t.list else ''}({quoted(t.name)});"
        yield made if t.update else f"{_operand(t)} = {made}"
    for t in results:
        if isinstance(t.update, Cases):
            items = f"{quoted(t.name)}, {member(t.name)}read"
            yield f"{_operand(t)} = given.updated({items});"
            continue
        made = f"given.result{'s' if t.list else ''}({quoted(t.name)});"
        yield f"{_operand(t)} = {made}"


def _operand(tensor: Tensor) -> str:
    kind = "OperandList" if tensor.list else "Operand"
    return f"opgen::jax::{kind} {member(tensor.name)}"


def laid_out(op: Op) -> Iterator[str]:
    """Yield the statements that set an operand's memory order if the order depends on the call."""
    for tensor in filter(partial(arranged, op), op.inputs):
        name = member(tensor.name)
        if all(layout in FREE for layout in layouts(op, tensor).values()):
            continue
        order = f"call.{name}layout().order"
        if tensor.list:
            order = f"[&](int64_t i) {{ return call.{name}layout(i).order; }}"
        yield f"{name}.lay_out({order});"


def alignments(op: Op) -> Iterator[str]:
    """Yield the statements that reject a buffer with less alignment than the kernel needs."""
    for tensor in (*op.written, *op.inputs):
        if tensor.align:
            name = member(tensor.name)
            yield f"opgen::aligned(op, {quoted(tensor.name)}, {name}.buffer, {tensor.align});"


def value(op: Op, attr: Attr) -> str:
    value = given(attr.name)
    if varies(op):
        get = "maybe" if attr.nullable else "attr"
        value = f"given.{get}<{type_of(attr).cpp}>({quoted(ffi_name(attr.name))})"
    if attr.kind.reader:
        return f"{attr.kind.reader}({value}, op, {quoted(attr.name)})"
    reader = type_of(attr).reader
    return f"{reader}({value})" if reader else value
