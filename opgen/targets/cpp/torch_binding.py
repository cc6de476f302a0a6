"""Views of the adapters: an op's registration in PyTorch and its handlers for XLA."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial

from opgen.ir.abi import (
    entry_symbol,
    falls_back,
    ffi_name,
    ffi_type,
    kind_of,
    packed,
    torch_out_schema,
    torch_schemas,
    varies,
)
from opgen.ir.layouts import CHOSEN, FREE, Like, Order, arranged, layouts
from opgen.ir.nodes import Attr, Op, Tensor
from opgen.ir.project import Project
from opgen.language.expr import Expr, Name
from opgen.language.expr.cpp import quoted
from opgen.spec.cases import Cases
from opgen.targets.cpp import launch
from opgen.targets.cpp.cpp_format import listing, order_text
from opgen.targets.cpp.kernel_methods import asks_device, shapes_of
from opgen.targets.cpp.names import PLATFORMS, Platform, cpp_name, given, member, struct


@dataclass(frozen=True)
class MadeView:
    """A tensor that an adapter takes or makes: `kind` is its class, `options` what that needs.

    `const ` says that nothing is done to it before the call.

    `present` says when it is made (empty: always), `spec` what it is, `check` holds what
    XLA made against it.
    """

    name: str
    label: str
    given: str
    kind: str = ""
    const: str = ""
    options: str = ""
    present: str = ""
    check: str = ""
    spec: str = ""


@dataclass(frozen=True)
class AdapterView:
    """What the adapters need of an op."""

    name: str
    label: str
    call: str
    args: str
    descriptor: str
    inputs: tuple[MadeView, ...]
    written: tuple[MadeView, ...]
    workspace: tuple[MadeView, ...]
    updates: bool
    torch_template: str
    torch_signature: str
    torch_inputs: str
    torch_placed: str
    torch_on_host: str
    torch_call: str
    torch_arranged: tuple[str, ...]
    torch_aligned: tuple[str, ...]
    torch_enter: tuple[str, ...]
    torch_prepare: tuple[str, ...]
    torch_args: str
    torch_result: str
    jax_operands: tuple[str, ...]
    jax_arranged: tuple[str, ...]
    jax_packed: bool
    jax_call: str
    jax_args: str
    jax_slices: str
    jax_fills: tuple[str, ...]
    given: tuple[MadeView, ...] = ()
    torch_overlap: str = ""


def adapter(project: Project, op: Op) -> AdapterView:
    """An op as the adapters of both frameworks see it."""
    buffers = [f"{member(t.name)}.buffer" for t in op.tensors]
    arguments = ["&desc", "&ctx", *buffers]
    read = [t for t in op.inputs if not t.update]
    operands = [f"&{member(t.name)}" for t in (*op.written, *op.updated, *read)]
    inputs = [f"{member(t.name)}.buffer" for t in op.inputs]
    results = [f"{member(t.name)}.{_given_as(t)}()" for t in op.written]
    torch_returns = _returns([_result_type(t) for t in op.written])
    parameters = [f"{_argument_type(t)} {given(t.name)}" for t in op.inputs]
    parameters += [f"{_torch_type(a)} {given(a.name)}" for a in op.attrs]
    parameters += ["int64_t wanted"] if op.on_request else []
    torch_values = inputs + [_torch_value(a) for a in op.attrs]
    jax_values = inputs + [_jax_value(op, a) for a in op.attrs]
    if op.on_request:
        torch_values.append("wanted")
        jax_values.append("given.wanted()")
    constructor = f"const {struct(op, 'Call')} call("
    kernel = f"opgen::Status (*kernel)(const {struct(op, 'Args')}*) noexcept"
    parameters_ = [
        "class Context",
        kernel,
        *launch.choice_parameter(op),
        *launch.workspace_parameter(op),
    ]
    template = listing("template <", parameters_, ">")
    args_head = f"const {struct(op, 'Args')} args{{"
    return AdapterView(
        name=member(op.name),
        label=quoted(op.name),
        call=struct(op, "Call"),
        args=struct(op, "Args"),
        descriptor=struct(op, "Descriptor"),
        inputs=_made(op, op.inputs),
        written=_made(op, op.written),
        workspace=_made(op, op.workspace),
        updates=bool(op.updated),
        torch_template=template,
        torch_signature=listing(f"{torch_returns} {member(op.name)}(", parameters, ") {"),
        torch_inputs=_addresses(op.inputs),
        torch_placed=_addresses(t for t in op.inputs if not t.device),
        torch_on_host=_addresses(t for t in op.inputs if t.device),
        torch_call=listing(constructor, torch_values, ");"),
        torch_arranged=tuple(map(_arrange, filter(partial(arranged, op), op.inputs))),
        torch_aligned=tuple(
            f"{member(t.name)}.align(op, {t.align});" for t in op.inputs if t.align
        ),
        torch_enter=tuple(launch.torch_enter(op, [f"return {_reference(project, op)};"])),
        torch_prepare=tuple(launch.torch_prepare(op)),
        torch_args=listing(args_head, arguments, "};"),
        torch_result=_return(results),
        jax_call=listing(constructor, jax_values, ");"),
        jax_args=listing(args_head, arguments, "};"),
        jax_operands=tuple(_operands(op)),
        jax_arranged=tuple(_lay_out(op)),
        jax_packed=packed(op),
        jax_fills=(*_alignments(op), *launch.fills(op)),
        jax_slices=listing("opgen::jax::each_slice(op, ctx.reported, {", operands, "}, [&] {"),
    )


def _addresses(tensors: Iterable[Tensor]) -> str:
    return ", ".join(f"&{member(t.name)}" for t in tensors)


def _reference(project: Project, op: Op) -> str:
    """The call of the reference, with the arguments of this call."""
    returns = _returns([_result_type(t) for t in op.written])
    names = [given(each.name) for each in op.arguments]
    names += ["wanted"] if op.on_request else []
    items = [quoted(f"{project.namespace}::{op.name}"), *names]
    return listing(f"opgen::torch::reference<{returns}>(", items, ")")


def _made(op: Op, tensors: Iterable[Tensor]) -> tuple[MadeView, ...]:
    return tuple(_tensor_view(op, tensor) for tensor in tensors)


def torch_adapters(project: Project, op: Op, view: AdapterView) -> Iterator[AdapterView]:
    """The op, and its overload that writes to tensors of the caller's."""
    yield view
    if torch_out_schema(op) is None:
        return
    names = [member(t.name) for t in op.outputs]
    parameters = [f"{_argument_type(t)} {given(t.name)}" for t in op.inputs]
    parameters += [f"{_torch_type(a)} {given(a.name)}" for a in op.attrs]
    parameters += ["int64_t wanted"] if op.on_request else []
    parameters += [f"{_argument_type(t)} {given(t.name)}" for t in op.outputs]
    written = f"{{{', '.join(f'&{name}' for name in names)}}}"
    given_out = listing("opgen::torch::write(", [_reference(project, op), written], ");")
    yield replace(
        view,
        name=f"{view.name}out",
        torch_enter=tuple(launch.torch_enter(op, [given_out, "return;"])),
        torch_signature=listing(f"void {view.name}out(", parameters, ") {"),
        written=_made(op, op.residuals),
        given=_given(op),
        updates=False,
        torch_overlap=", ".join([view.torch_inputs, *(f"&{name}" for name in names)]),
        torch_result="\n  ".join(f"{name}.finish();" for name in names),
    )


def _given(op: Op) -> tuple[MadeView, ...]:
    """The outputs, under the names by which the caller gives them."""
    views = _made(op, op.outputs)
    return (replace(views[0], label=quoted("out")),) if len(views) == 1 else views


def _tensor_view(op: Op, tensor: Tensor) -> MadeView:
    name = member(tensor.name)
    head = "" if tensor.always else f"if (call.{name}present()) "
    facts = "ctx.properties()" if asks_device(*shapes_of(tensor)) else ""
    return MadeView(
        name=name,
        label=quoted(tensor.name),
        given=given(tensor.name),
        check=f"{head}{name}.expect(call.{name}());",
        kind=f"{_class(op, tensor)}{'List' if tensor.list else ''}",
        const="const " if _is_const(op, tensor) else "",
        options=_asked(op, tensor) if tensor.role == "input" else "",
        present="" if tensor.always else f"call.{name}present()",
        spec=f"call.{name}({facts})",
    )


def _asked(op: Op, tensor: Tensor) -> str:
    """What its kernel asks of an input's memory, where that is not row-major.

    Where only the call knows, it is taken as it is, and arranged later.
    """
    if arranged(op, tensor):
        return ", opgen::Layout::strided"
    match layouts(op, tensor).only:
        case Like(name):
            return f", {member(name)}"
        case Order() as order:
            return f", {order_text(order)}"
        case layout:
            return f", opgen::Layout::{layout}" if layout in CHOSEN else ""


def _arrange(tensor: Tensor) -> str:
    """What puts an input in the way that this call asks for."""
    name = member(tensor.name)
    wish = f"call.{name}layout()"
    if tensor.list:
        wish = f"[&](int64_t i) {{ return call.{name}layout(i); }}"
    return listing(f"{name}.arrange(", ["op", wish, f"call.{name}written()"], ");")


def _lay_out(op: Op) -> Iterator[str]:
    """What tells operands how XLA has laid them out in this call."""
    for tensor in filter(partial(arranged, op), op.inputs):
        name = member(tensor.name)
        if all(layout in FREE for layout in layouts(op, tensor).values()):
            continue
        order = f"call.{name}layout().order"
        if tensor.list:
            order = f"[&](int64_t i) {{ return call.{name}layout(i).order; }}"
        yield f"{name}.lay_out({order});"


def _is_const(op: Op, tensor: Tensor) -> bool:
    """Whether the adapter neither copies it into place nor gives it away."""
    read = tensor.role == "input" and not tensor.align and not arranged(op, tensor)
    return tensor.role == "workspace" or read


def _class(op: Op, tensor: Tensor) -> str:
    """The class of the torch adapter that takes or makes a tensor."""
    if tensor.role != "input":
        return "Output"
    return "Updated" if tensor.update and not arranged(op, tensor) else "Input"


def _given_as(tensor: Tensor) -> str:
    """The method by which an output gives what PyTorch gets."""
    return "tensors" if tensor.list else "tensor"


def _result_type(tensor: Tensor) -> str:
    return "std::vector<Owned>" if tensor.list else "Owned"


def _argument_type(tensor: Tensor) -> str:
    if tensor.list:
        return "opgen::torch::List<Tensor>"
    return "Tensor" if tensor.always else "std::optional<Tensor>"


def _returns(types: list[str]) -> str:
    if not types:
        return "void"
    return types[0] if len(types) == 1 else f"std::tuple<{', '.join(types)}>"


def _return(results: list[str]) -> str:
    if not results:
        return ""
    text = results[0] if len(results) == 1 else f"{{{', '.join(results)}}}"
    return f"return {text};"


def _torch_type(attr: Attr) -> str:
    text = kind_of(attr).torch
    may_lack = attr.optional or isinstance(attr.default, Expr)
    return f"std::optional<{text}>" if may_lack else text


def _torch_value(attr: Attr) -> str:
    name = given(attr.name)
    reader = kind_of(attr).torch_reader
    if attr.type == "dtype":
        return f"{reader}({name}, op, {quoted(attr.name)})"
    if reader is None:
        return name
    return f"{reader}({name})"


def _alignments(op: Op) -> Iterator[str]:
    """What refuses the buffers of XLA that are not as aligned as the kernel wants."""
    for tensor in (*op.written, *op.inputs):
        if tensor.align:
            name = member(tensor.name)
            yield f"opgen::aligned(op, {quoted(tensor.name)}, {name}.buffer, {tensor.align});"


def _operands(op: Op) -> Iterator[str]:
    """What makes the operands: an updated input is the result that it shares memory with."""
    yield from _unordered(op)
    for tensor in op.inputs:
        layout = "" if arranged(op, tensor) else layouts(op, tensor).only
        if isinstance(layout, Order):
            order = order_text(layout)
            order = f"[](int64_t) {{ return {order}; }}" if tensor.list else order
            yield f"{member(tensor.name)}.lay_out({order});"


def _unordered(op: Op) -> Iterator[str]:
    """The operands, as if all of them were row-major."""
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


def _jax_value(op: Op, attr: Attr) -> str:
    if packed(op):
        return _unpacked(op, attr)
    value = given(attr.name)
    may_lack = attr.optional or isinstance(attr.default, Expr)
    if varies(op):
        get = "maybe" if may_lack else "attr"
        value = f"given.{get}<{ffi_type(attr)}>({quoted(ffi_name(attr.name))})"
    reader = kind_of(attr).jax_reader
    return f"{reader}({value})" if reader else value


def _unpacked(op: Op, attr: Attr) -> str:
    """An attr from the field of the descriptor that holds it."""
    field = next(f for f in op.descriptor.fields if f.value == Name(attr.name))
    value = f"packed.{cpp_name(field.name)}"
    if attr.type == "dtype":
        return f"opgen::jax::dtype(static_cast<int64_t>({value}))"
    if attr.type == "str":
        choices = ", ".join(map(quoted, map(str, attr.choices)))
        return f"opgen::jax::choice({value}, {{{choices}}})"
    return f"{value} != 0" if attr.type == "bool" and field.type != "bool" else value


def torch_headers(ops: Iterable[Op]) -> list[str]:
    """What the registrations of `ops` include."""
    ops = list(ops)
    references = ["opgen/torch_reference.h"] if any(map(falls_back, ops)) else []
    return ["opgen/torch.h", *references]


def definitions(ops: Iterable[Op]) -> Iterator[str]:
    """The schemas of `ops`, quoted.

    That of `out` comes before two that differ in the overload's name alone: PyTorch takes one for
    the other when the library is unloaded, and aborts at what it unloads of the op after them.
    """
    for op in ops:
        out = torch_out_schema(op)
        yield from map(quoted, ([out] if out else []) + [*torch_schemas(op)])


@dataclass(frozen=True)
class TorchPlatformView:
    """The registrations at one of PyTorch's dispatch keys."""

    key: str
    context: str
    macro: str
    impls: tuple[str, ...]


def torch_platforms(project: Project, ops: Iterable[Op]) -> Iterator[TorchPlatformView]:
    """The platforms that some of `ops` have a kernel for."""
    for platform in PLATFORMS.values():
        impls = []
        for op in ops:
            if op.kernel(platform.name):
                symbol = entry_symbol(project.namespace, op, platform.name)
                arguments = [
                    platform.context,
                    symbol,
                    *launch.choice_argument(op, symbol),
                    *launch.workspace_argument(op, platform.name, symbol),
                ]
                function = f"&{member(op.name)}<{', '.join(arguments)}>"
                impls.append(_implement(platform, op.name, function))
                if torch_out_schema(op):
                    function = function.replace("<", "out<", 1)
                    impls.append(_implement(platform, f"{op.name}.out", function))
        if impls:
            yield TorchPlatformView(platform.key, platform.context, platform.macro, tuple(impls))


def _implement(platform: Platform, op: str, function: str) -> str:
    arguments = ["m", f"{platform.context}::platform", quoted(op), f"ways<{function}>"]
    return listing("implement(", arguments, ");")
