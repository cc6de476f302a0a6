"""Views of the adapters: an op's registration in PyTorch and its handlers for XLA."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from opgen.expr import Expr, Name
from opgen.expr.cpp import quoted
from opgen.ir import Attr, Kernel, Op, Project, Tensor
from opgen.signatures import (
    base_type,
    entry_symbol,
    ffi_attrs,
    ffi_type,
    packed,
    torch_schema,
    varies,
)
from opgen.targets.cpp.headers import cpp_kernels
from opgen.targets.cpp.layout import aligned, listing
from opgen.targets.cpp.names import PLATFORMS, cpp_name, struct
from opgen.targets.cpp.types import TORCH_TYPES


@dataclass(frozen=True)
class MadeView:
    """A tensor that an adapter takes or makes: `kind` is its class, `options` what that needs.

    `present` says when it is made (empty: always), `check` holds what XLA made against it.
    """

    name: str
    label: str
    kind: str = ""
    options: str = ""
    present: str = ""
    check: str = ""


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
    has_launch: bool
    schema: str
    torch_returns: str
    torch_signature: str
    torch_inputs: str
    torch_call: str
    torch_args: str
    torch_result: str
    jax_operands: tuple[str, ...]
    jax_packed: bool
    jax_call: str
    jax_args: str
    jax_slices: str


@dataclass(frozen=True)
class HandlerView:
    """One FFI handler: of an op, for a platform; `on_host`: the results that lie there."""

    symbol: str
    function: str
    signature: str
    binding: tuple[str, ...]
    on_host: tuple[str, ...]
    context: str
    workspace: str
    scratch: str
    entry: str
    op: AdapterView


def adapter(op: Op) -> AdapterView:
    """An op as the adapters of both frameworks see it."""
    buffers = [f"{cpp_name(t.name)}.buffer" for t in op.tensors]
    arguments = ["&desc", "&ctx", *buffers]
    updated = [t for t in op.inputs if t.update]
    read = [t for t in op.inputs if not t.update]
    operands = [f"&{cpp_name(t.name)}" for t in (*op.written, *updated, *read)]
    inputs = [f"{cpp_name(t.name)}.buffer" for t in op.inputs]
    results = [
        f"{cpp_name(t.name)}.{'tensor' if t.always else 'maybe'}()" for t in op.written
    ]
    torch_returns = _returns([_tensor_type(t) for t in op.written])
    parameters = [f"const {_tensor_type(t)}& {cpp_name(t.name)}_" for t in op.inputs]
    parameters += [f"{_torch_type(a)} {cpp_name(a.name)}_" for a in op.attrs]
    parameters += ["int64_t wanted_"] if op.on_request else []
    torch_values = inputs + [_torch_value(a) for a in op.attrs]
    jax_values = inputs + [_jax_value(op, a) for a in op.attrs]
    if op.on_request:
        torch_values.append("wanted_")
        jax_values.append("given.wanted()")
    constructor = f"const {struct(op, 'Call')} call("
    args_head = f"const {struct(op, 'Args')} args{{"
    return AdapterView(
        name=cpp_name(op.name),
        label=quoted(op.name),
        call=struct(op, "Call"),
        args=struct(op, "Args"),
        descriptor=struct(op, "Descriptor"),
        inputs=_made(op.inputs),
        written=_made(op.written),
        workspace=_made(op.workspace),
        updates=bool(updated),
        has_launch=_has_launch(op),
        schema=quoted(torch_schema(op)),
        torch_returns=torch_returns,
        torch_signature=listing(f"{torch_returns} {cpp_name(op.name)}(", parameters, ") {"),  # fmt: skip
        torch_inputs=", ".join(f"&{cpp_name(t.name)}" for t in op.inputs),
        torch_call=listing(constructor, torch_values, ");", 2),
        torch_args=listing(args_head, arguments, "};", 2),
        torch_result=_return(results),
        jax_call=listing(constructor, jax_values, ");", 4),
        jax_args=listing(args_head, arguments, "};", 6),
        jax_operands=tuple(_operands(op)),
        jax_packed=packed(op),
        jax_slices=listing("opgen::jax::each_slice(op, {", operands, "}, [&] {", 4),
    )


def _has_launch(op: Op) -> bool:
    return any(kernel.grid or kernel.block for kernel in cpp_kernels(op))


def _made(tensors: Iterable[Tensor]) -> tuple[MadeView, ...]:
    return tuple(map(_tensor_view, tensors))


def _tensor_view(tensor: Tensor) -> MadeView:
    name = cpp_name(tensor.name)
    layout = tensor.layout if isinstance(tensor.layout, str) else "contiguous"
    given = layout in ("last", "strided") and tensor.role == "input"
    head = "" if tensor.always else f"if (call.has_{name}()) "
    return MadeView(
        name=name,
        label=quoted(tensor.name),
        check=f"{head}{name}.expect(call.{name}());",
        kind=f"{'Updated' if tensor.update else 'Input'}{'List' if tensor.list else ''}",
        options=f", opgen::torch::Layout::{layout}" if given else "",
        present="" if tensor.always else f"call.has_{name}()",
    )


def _tensor_type(tensor: Tensor) -> str:
    if tensor.list:
        return "std::vector<Tensor>"
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
    text = TORCH_TYPES[base_type(attr)]
    may_lack = attr.optional or isinstance(attr.default, Expr)
    return f"std::optional<{text}>" if may_lack else text


def _torch_value(attr: Attr) -> str:
    name = f"{cpp_name(attr.name)}_"
    if attr.type == "dtype":
        return f"opgen::torch::from_torch({name}, op, {quoted(attr.name)})"
    convert = {"int[]": "sizes", "float[]": "floats"}.get(base_type(attr))
    if convert is None:
        return name
    if attr.optional or isinstance(attr.default, Expr):
        return f"opgen::torch::maybe(opgen::torch::{convert}, {name})"
    return f"opgen::torch::{convert}({name})"


def _operands(op: Op) -> Iterator[str]:
    """What makes the operands: an updated input is the result that it shares memory with."""
    results = (*op.written, *(t for t in op.inputs if t.update))
    if not varies(op):
        for t in (*(t for t in op.inputs if not t.update), *results):
            name = cpp_name(t.name)
            yield f"opgen::jax::Operand {name}(op, {quoted(t.name)}, {name}_, batch_dims);"
        return
    yield "opgen::jax::Given given(op, attrs, operands, results);"
    for t in op.inputs:
        made = f"given.input{'s' if t.list else ''}({quoted(t.name)});"
        yield made if t.update else f"{_operand(t)} = {made}"
    for t in results:
        made = f"given.result{'s' if t.list else ''}({quoted(t.name)});"
        yield f"{_operand(t)} = {made}"


def _operand(tensor: Tensor) -> str:
    kind = "OperandList" if tensor.list else "Operand"
    return f"opgen::jax::{kind} {cpp_name(tensor.name)}"


def _jax_value(op: Op, attr: Attr) -> str:
    if packed(op):
        return _unpacked(op, attr)
    value = f"{cpp_name(attr.name)}_"
    may_lack = attr.optional or isinstance(attr.default, Expr)
    if varies(op):
        get = "maybe" if may_lack else "attr"
        value = f"given.{get}<{ffi_type(attr)}>({quoted(attr.name)})"
    convert = {"dtype": "dtype", "int[]": "sizes", "float[]": "floats"}
    function = convert.get(base_type(attr))
    return f"opgen::jax::{function}({value})" if function else value


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


_CONTEXTS = {
    "cpu": ("xla::ffi::ThreadPool threads",),
    "cuda": (
        "void* stream",
        "int32_t device",
        "xla::ffi::ScratchAllocator scratch",
    ),
}
_CONTEXT_BINDINGS = {
    "cpu": (".Ctx<xla::ffi::ThreadPool>()",),
    "cuda": (
        ".Ctx<xla::ffi::PlatformStream<void*>>()",
        ".Ctx<xla::ffi::DeviceOrdinal>()",
        ".Ctx<xla::ffi::ScratchAllocator>()",
    ),
}
_CONTEXT_ARGUMENTS = {"cpu": "threads", "cuda": "stream, device"}
_WORKSPACES = {
    "cpu": ("opgen::jax::HostWorkspace", ""),
    "cuda": ("opgen::jax::DeviceWorkspace", ", scratch"),
}


def _argument(tensor: Tensor) -> str:
    """The parameter of an input; that of an updated one is not used."""
    return f"/*{tensor.name}*/" if tensor.update else f"{cpp_name(tensor.name)}_"


def _on_host(op: Op) -> tuple[str, ...]:
    """The buffers that XLA has allocated for results, but for lists of them."""
    return tuple(f"{cpp_name(t.name)}.buffer" for t in op.written if not t.list)


def handler(project: Project, op: Op, kernel: Kernel) -> HandlerView:
    """The FFI handler of one kernel."""
    platform = PLATFORMS[kernel.platform]
    attrs = ffi_attrs(op)
    updated = [t for t in op.inputs if t.update]
    parameters = [*_CONTEXTS[platform.name]]
    rows = [(text, "") for text in _CONTEXT_BINDINGS[platform.name]]
    if varies(op):
        parameters += ["xla::ffi::Dictionary attrs", "xla::ffi::RemainingArgs operands"]
        parameters.append("xla::ffi::RemainingRets results")
        rows += [(text, "") for text in (".Attrs()", ".RemainingArgs()", ".RemainingRets()")]  # fmt: skip
    else:
        results = (*op.written, *updated)
        parameters.append("int64_t batch_dims")
        parameters += [f"{a.type} {cpp_name(a.name)}_" for a in attrs[1:]]
        parameters += [f"xla::ffi::AnyBuffer {_argument(t)}" for t in op.inputs]
        parameters += [f"xla::ffi::Result<xla::ffi::AnyBuffer> {cpp_name(t.name)}_" for t in results]  # fmt: skip
        rows += [(f'.Attr<{a.type}>("{a.name}")', "") for a in attrs]
        rows += [(".Arg<xla::ffi::AnyBuffer>()", t.name) for t in op.inputs]
        rows += [(".Ret<xla::ffi::AnyBuffer>()", t.name) for t in results]
    function = f"{op.name}_{platform.name}"
    symbol = entry_symbol(project.namespace, op, platform.name)
    const = "" if _has_launch(op) else "const "
    arguments = _CONTEXT_ARGUMENTS[platform.name]
    workspace, scratch = _WORKSPACES[platform.name]
    return HandlerView(
        symbol=f"{symbol}_ffi",
        function=function,
        signature=listing(f"xla::ffi::Error {function}(", parameters, ") {"),
        binding=tuple(aligned(rows)),
        on_host=_on_host(op) if platform.name == "cpu" else (),
        context=f"{const}opgen::jax::{platform.context} ctx({arguments})",
        workspace=workspace,
        scratch=scratch,
        entry=symbol,
        op=adapter(op),
    )


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
                function = f"&{cpp_name(op.name)}<{platform.context}, {symbol}>"
                impls.append(f"m.impl({quoted(op.name)}, TORCH_BOX(({function})));")
        if impls:
            yield TorchPlatformView(
                platform.key, platform.context, platform.macro, tuple(impls)
            )


@dataclass(frozen=True)
class JaxPlatformView:
    """The handlers of one platform."""

    macro: str
    handlers: tuple[HandlerView, ...]


def jax_platforms(project: Project, ops: Iterable[Op]) -> Iterator[JaxPlatformView]:
    """The platforms that some of `ops` have a kernel for."""
    for platform in PLATFORMS.values():
        kernels = [(op, op.kernel(platform.name)) for op in ops]
        handlers = tuple(
            handler(project, op, kernel) for op, kernel in kernels if kernel
        )
        if handlers:
            yield JaxPlatformView(platform.macro, handlers)
