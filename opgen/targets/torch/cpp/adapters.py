"""Prepare the adapters for PyTorch, which pass the tensors of a call to the kernel."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial

from opgen.ir.layouts import CHOSEN, Like, Order, arranged, layouts
from opgen.ir.nodes import Attr, Tensor
from opgen.ir.op import Op
from opgen.ir.project import Project
from opgen.language.expr.cpp import quoted
from opgen.source.frozen import dataclass
from opgen.targets.cpp import launch
from opgen.targets.cpp.adapters import AdapterView, MadeView, adapter, construct, made
from opgen.targets.cpp.cpp_format import listing, order_text
from opgen.targets.cpp.headers import cpp_kernels
from opgen.targets.cpp.kernel_methods import keeps
from opgen.targets.cpp.names import given, member, struct
from opgen.targets.cpp.symbols import told
from opgen.targets.torch.schema import gives_optional, out_schema, type_of


@dataclass(frozen=True)
class TensorView(MadeView):
    """A tensor in an adapter: an input, a result or workspace."""

    # The adapter class of the tensor, and its constructor arguments.
    kind: str
    options: str
    # `const ` if the adapter does not change the tensor before the call.
    const: str


@dataclass(frozen=True)
class TorchView:
    """The C++ function that PyTorch calls for an op, or for the op's `out` overload."""

    # The op.
    op: AdapterView
    # The template parameters and the signature of the function.
    template: str
    signature: str
    # The tensors by role. `given` has the tensors that the caller passes as `out`.
    inputs: tuple[TensorView, ...]
    given: tuple[TensorView, ...]
    made: tuple[TensorView, ...]
    # The addresses of inputs on the call's device, and of inputs on the host.
    placed: str
    on_host: str
    # The addresses of tensors that must not overlap; "" if all tensors may overlap.
    apart: str
    # The addresses of `out` tensors and of inputs. An `out` tensor must not overlap any of them.
    overlap: str
    # The statement that constructs the checked call.
    call: str
    # The statements that copy inputs into the required memory order, and into aligned memory.
    arranged: tuple[str, ...]
    aligned: tuple[str, ...]
    # `const ` if the adapter does not change the launch context.
    const: str
    # The code that chooses from a list of kernels, or that reports why a single kernel rejects the
    # call.
    choice: launch.ChoiceView | None
    unmet: str
    # The statements that run the reference in place of a kernel.
    reference: tuple[str, ...]
    # The statements that complete the launch context, and the statement that returns the results.
    prepare: tuple[str, ...]
    result: str


def views(project: Project, op: Op) -> Iterator[TorchView]:
    """Yield the C++ function of the op, and that of its `out` overload if it has one."""
    parameters = [f"{_argument_type(t)} {given(t.name)}" for t in op.inputs]
    parameters += [f"{_torch_type(a)} {given(a.name)}" for a in op.attrs]
    parameters += ["int64_t wanted"] if op.on_request else []
    values = [_torch_value(a) for a in op.attrs] + (["wanted"] if op.on_request else [])
    returns = _returns([_result_type(op, t) for t in op.written])
    kernel = f"opgen::Status (*kernel)(const {struct(op, 'Args')}*) noexcept"
    more = [*launch.choice_parameter(op), *launch.workspace_parameter(op)]
    inputs = _addresses(op.inputs)
    view = TorchView(
        op=adapter(op),
        template=listing("template <", ["class Context", kernel, *more], ">"),
        signature=listing(f"{returns} {member(op.name)}(", parameters, ") {"),
        inputs=_made(op, op.inputs),
        given=(),
        made=_made(op, (*op.written, *op.workspace)),
        placed=_addresses(t for t in op.inputs if not t.device),
        on_host=_addresses(t for t in op.inputs if t.device),
        apart=inputs if op.updated else "",
        overlap="",
        call=construct(op, values),
        arranged=tuple(map(_arrange, filter(partial(arranged, op), op.inputs))),
        aligned=tuple(f"{member(t.name)}.align(op, {t.align});" for t in op.inputs if t.align),
        const=launch.const(*cpp_kernels(op)),
        choice=choice(op),
        unmet="" if op.listed else launch.unmet(op, "Context::platform"),
        reference=(f"return {_reference(project, op)};",) if op.fallback else (),
        prepare=tuple(prepare(op)),
        result=_return([f"{member(t.name)}.{_given_as(t)}()" for t in op.written]),
    )
    yield view
    if out_schema(op) is None:
        return
    names = [member(t.name) for t in op.outputs]
    parameters += [f"{_argument_type(t)} {given(t.name)}" for t in op.outputs]
    written = f"{{{', '.join(f'&{name}' for name in names)}}}"
    given_out = listing("opgen::torch::write(", [_reference(project, op), written], ");")
    yield replace(
        view,
        signature=listing(f"void {view.op.name}out(", parameters, ") {"),
        given=_given(op),
        made=_made(op, (*op.residuals, *op.workspace)),
        apart="",
        overlap=", ".join([inputs, *(f"&{name}" for name in names)]),
        reference=(given_out, "return;") if op.fallback else (),
        result="\n  ".join(f"{name}.finish();" for name in names),
    )


def _addresses(tensors: Iterable[Tensor]) -> str:
    return ", ".join(f"&{member(t.name)}" for t in tensors)


def _reference(project: Project, op: Op) -> str:
    """Return the C++ expression that calls the reference with the adapter's arguments."""
    returns = _returns([_result_type(op, t) for t in op.written])
    names = [given(each.name) for each in op.arguments]
    names += ["wanted"] if op.on_request else []
    items = [quoted(f"{project.namespace}::{op.name}"), *names]
    return listing(f"opgen::torch::reference<{returns}>(", items, ")")


def _made(op: Op, tensors: Iterable[Tensor]) -> tuple[TensorView, ...]:
    return tuple(_tensor_view(op, tensor) for tensor in tensors)


def _given(op: Op) -> tuple[TensorView, ...]:
    """Return the tensors that the caller passes as `out`. Messages call a single output `out`."""
    views = _made(op, op.outputs)
    return (replace(views[0], label=quoted("out")),) if len(views) == 1 else views


def _tensor_view(op: Op, tensor: Tensor) -> TensorView:
    return TensorView(
        **vars(made(tensor)),
        kind=f"{_class(op, tensor)}{'List' if tensor.list else ''}",
        options=_asked(op, tensor) if tensor.role == "input" else "",
        const="const " if _is_const(op, tensor) else "",
    )


def _asked(op: Op, tensor: Tensor) -> str:
    """Return the constructor argument for the memory order that the kernel requires of an input.

    Return "" for a row-major input. If the order depends on the call, the input keeps its strides
    until the statement of `_arrange` runs.
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
    """Return the statement that copies an input into the memory order that this call requires."""
    name = member(tensor.name)
    wish = f"call.{name}layout()"
    if tensor.list:
        wish = f"[&](int64_t i) {{ return call.{name}layout(i); }}"
    return listing(f"{name}.arrange(", ["op", wish, f"call.{name}written()"], ");")


def _is_const(op: Op, tensor: Tensor) -> bool:
    """Return whether the adapter neither copies nor returns a tensor."""
    read = tensor.role == "input" and not tensor.align and not arranged(op, tensor)
    return tensor.role == "workspace" or read


def _class(op: Op, tensor: Tensor) -> str:
    """Return the name of the C++ class that receives or creates a tensor."""
    if tensor.role != "input":
        return "Output"
    return "Updated" if tensor.update and not arranged(op, tensor) else "Input"


def _given_as(tensor: Tensor) -> str:
    """Return the C++ method that converts a result to PyTorch's tensor or list of tensors."""
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
    text = type_of(attr).cpp
    return f"std::optional<{text}>" if attr.nullable else text


def _torch_value(attr: Attr) -> str:
    name = given(attr.name)
    reader = type_of(attr).reader
    if reader and not attr.several:
        return f"{reader}({name}, op, {quoted(attr.name)})"
    return f"{reader}({name})" if reader else name


def choice(op: Op) -> launch.ChoiceView | None:
    """Return the code that chooses from the op's list of kernels, or None without a list."""
    if not op.listed:
        return None
    if not keeps(op):
        return launch.choice(op, "kernels", "Context::platform")
    function = "opgen::torch::choose("
    return launch.choice(op, "kernels", "Context::platform", function, first="op, kernels, ")


def prepare(op: Op) -> Iterator[str]:
    """Yield the statements that complete the launch context of a kernel."""
    kernels = cpp_kernels(op)
    if any(map(told, kernels)):
        yield f"ctx.symbol = call.symbol(Context::platform{launch.chosen_kernel(op)});"
    if any(k.grid or k.block for k in kernels):
        yield f"ctx.start({launch.launching(op, 'Context::platform')});"
    if any(k.workspace for k in kernels):
        size = f"workspace(&desc, ctx.properties(){launch.chosen_kernel(op)})"
        yield f"const int64_t bytes = workspace == nullptr ? 0 : {size};"
        yield "const Output memory(opgen::scratch(op, bytes), device);"
        yield "ctx.use(memory.buffer);"
    yield from launch.fills(op)
