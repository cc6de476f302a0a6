"""Views of the adapters, which pass the tensors of a call from PyTorch or XLA to the kernel."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial

from opgen.ir.abi import gives_optional, kind_of, torch_out_schema
from opgen.ir.layouts import CHOSEN, Like, Order, arranged, layouts
from opgen.ir.nodes import Attr, Tensor
from opgen.ir.op import Op
from opgen.ir.project import Project
from opgen.language.expr import Expr
from opgen.language.expr.cpp import quoted
from opgen.targets.cpp import launch, xla_operands
from opgen.targets.cpp.cpp_format import listing, order_text
from opgen.targets.cpp.kernel_methods import asks_device, shapes_of
from opgen.targets.cpp.names import given, member, struct


@dataclass(frozen=True)
class MadeView:
    """A tensor that an adapter takes or creates.

    `kind` is its class, and `options` the arguments of that. `const ` means that the adapter does
    not change it before the call. `present` is the condition of its creation (empty: always).
    `spec` is its spec, and `check` compares it with the buffer that XLA created.
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
    """The facts of an op that the adapters need."""

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
    jax_call: str
    jax_args: str
    jax_slices: str
    jax_fills: tuple[str, ...]
    given: tuple[MadeView, ...] = ()
    torch_overlap: str = ""


def adapter(project: Project, op: Op) -> AdapterView:
    """Return the view of an op for the adapters of both frameworks."""
    buffers = [f"{member(t.name)}.buffer" for t in op.tensors]
    arguments = ["&desc", "&ctx", *buffers]
    read = [t for t in op.inputs if not t.update]
    operands = [f"&{member(t.name)}" for t in (*op.written, *op.updated, *read)]
    inputs = [f"{member(t.name)}.buffer" for t in op.inputs]
    results = [f"{member(t.name)}.{_given_as(t)}()" for t in op.written]
    torch_returns = _returns([_result_type(op, t) for t in op.written])
    parameters = [f"{_argument_type(t)} {given(t.name)}" for t in op.inputs]
    parameters += [f"{_torch_type(a)} {given(a.name)}" for a in op.attrs]
    parameters += ["int64_t wanted"] if op.on_request else []
    torch_values = inputs + [_torch_value(a) for a in op.attrs]
    jax_values = inputs + [xla_operands.value(op, a) for a in op.attrs]
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
        jax_operands=tuple(xla_operands.operands(op)),
        jax_arranged=tuple(xla_operands.laid_out(op)),
        jax_fills=(*xla_operands.alignments(op), *launch.fills(op)),
        jax_slices=listing("opgen::jax::each_slice(op, ctx.reported, {", operands, "}, [&] {"),
    )


def _addresses(tensors: Iterable[Tensor]) -> str:
    return ", ".join(f"&{member(t.name)}" for t in tensors)


def _reference(project: Project, op: Op) -> str:
    """Return the call of the reference, with the arguments of this call."""
    returns = _returns([_result_type(op, t) for t in op.written])
    names = [given(each.name) for each in op.arguments]
    names += ["wanted"] if op.on_request else []
    items = [quoted(f"{project.namespace}::{op.name}"), *names]
    return listing(f"opgen::torch::reference<{returns}>(", items, ")")


def _made(op: Op, tensors: Iterable[Tensor]) -> tuple[MadeView, ...]:
    return tuple(_tensor_view(op, tensor) for tensor in tensors)


def torch_adapters(project: Project, op: Op, view: AdapterView) -> Iterator[AdapterView]:
    """Yield the op, and its overload that writes to the caller's tensors."""
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
    """Return the outputs, under the names of the caller's arguments."""
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
    """Return the memory order that the kernel requires of an input, if not row-major.

    If only the call knows the order, the input is taken as given, and arranged later.
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
    """Return the statement that arranges an input in the order that this call requires."""
    name = member(tensor.name)
    wish = f"call.{name}layout()"
    if tensor.list:
        wish = f"[&](int64_t i) {{ return call.{name}layout(i); }}"
    return listing(f"{name}.arrange(", ["op", wish, f"call.{name}written()"], ");")


def _is_const(op: Op, tensor: Tensor) -> bool:
    """Return whether the adapter neither copies a tensor into place nor returns it."""
    read = tensor.role == "input" and not tensor.align and not arranged(op, tensor)
    return tensor.role == "workspace" or read


def _class(op: Op, tensor: Tensor) -> str:
    """Return the class of the torch adapter that takes or creates a tensor."""
    if tensor.role != "input":
        return "Output"
    return "Updated" if tensor.update and not arranged(op, tensor) else "Input"


def _given_as(tensor: Tensor) -> str:
    """Return the method by which an output returns its tensor to PyTorch."""
    return "tensors" if tensor.list else "tensor"


def _result_type(op: Op, tensor: Tensor) -> str:
    if tensor.list:
        return "std::vector<Owned>"
    return "OptionalOwned" if gives_optional(op, tensor) else "Owned"


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
