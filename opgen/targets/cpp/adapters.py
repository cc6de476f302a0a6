"""Views of the adapters: an op's registration in PyTorch and its handlers for XLA."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from opgen.expr import Expr
from opgen.expr.cpp import quoted
from opgen.ir import Attr, Kernel, Op, Project, Tensor
from opgen.signatures import base_type, entry_symbol, ffi_attrs, torch_schema
from opgen.targets.cpp.headers import cpp_kernels
from opgen.targets.cpp.layout import aligned, listing
from opgen.targets.cpp.names import PLATFORMS, cpp_name, struct
from opgen.targets.cpp.types import TORCH_TYPES


@dataclass(frozen=True)
class MadeView:
    """A tensor that an adapter makes, or checks."""

    name: str
    label: str


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
    has_launch: bool
    schema: str
    torch_returns: str
    torch_signature: str
    torch_inputs: str
    torch_call: str
    torch_args: str
    torch_result: str
    jax_call: str
    jax_args: str
    jax_operands: str


@dataclass(frozen=True)
class HandlerView:
    """One FFI handler: of an op, for a platform."""

    symbol: str
    function: str
    signature: str
    binding: tuple[str, ...]
    context: str
    workspace: str
    scratch: str
    entry: str
    op: AdapterView


def adapter(op: Op) -> AdapterView:
    """An op as the adapters of both frameworks see it."""
    buffers = [f"{cpp_name(t.name)}.buffer" for t in op.tensors]
    arguments = ["&desc", "&ctx", *buffers]
    operands = [f"&{cpp_name(t.name)}" for t in (*op.written, *op.inputs)]
    inputs = [f"{cpp_name(t.name)}.buffer" for t in op.inputs]
    results = [f"{cpp_name(t.name)}.tensor" for t in op.written]
    returns = ", ".join("Tensor" for _ in results)
    torch_returns = f"std::tuple<{returns}>" if len(results) != 1 else "Tensor"
    parameters = [f"const Tensor& {cpp_name(t.name)}_" for t in op.inputs]
    parameters += [f"{_torch_type(a)} {cpp_name(a.name)}_" for a in op.attrs]
    torch_values = inputs + [_torch_value(a) for a in op.attrs]
    jax_values = inputs + [_jax_value(a) for a in op.attrs]
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
        has_launch=_has_launch(op),
        schema=quoted(torch_schema(op)),
        torch_returns=torch_returns,
        torch_signature=listing(f"{torch_returns} {cpp_name(op.name)}(", parameters, ") {"),  # fmt: skip
        torch_inputs=", ".join(f"&{cpp_name(t.name)}" for t in op.inputs),
        torch_call=listing(constructor, torch_values, ");", 2),
        torch_args=listing(args_head, arguments, "};", 2),
        torch_result=results[0] if len(results) == 1 else f"{{{', '.join(results)}}}",
        jax_call=listing(constructor, jax_values, ");", 4),
        jax_args=listing(args_head, arguments, "};", 6),
        jax_operands=listing("opgen::jax::each_slice(op, {", operands, "}, [&] {", 4),
    )


def _has_launch(op: Op) -> bool:
    return any(kernel.grid or kernel.block for kernel in cpp_kernels(op))


def _made(tensors: Iterable[Tensor]) -> tuple[MadeView, ...]:
    return tuple(MadeView(cpp_name(t.name), quoted(t.name)) for t in tensors)


def _torch_type(attr: Attr) -> str:
    text = TORCH_TYPES[base_type(attr)]
    may_lack = attr.optional or isinstance(attr.default, Expr)
    return f"std::optional<{text}>" if may_lack else text


def _torch_value(attr: Attr) -> str:
    name = f"{cpp_name(attr.name)}_"
    if attr.type == "dtype":
        return f"opgen::torch::from_torch({name}, op, {quoted(attr.name)})"
    return name


def _jax_value(attr: Attr) -> str:
    name = f"{cpp_name(attr.name)}_"
    convert = {"dtype": "dtype", "int[]": "sizes", "float[]": "floats"}
    function = convert.get(base_type(attr))
    return f"opgen::jax::{function}({name})" if function else name


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


def handler(project: Project, op: Op, kernel: Kernel) -> HandlerView:
    """The FFI handler of one kernel."""
    platform = PLATFORMS[kernel.platform]
    attrs = ffi_attrs(op)
    parameters = [*_CONTEXTS[platform.name], "int64_t batch_dims"]
    parameters += [f"{a.type} {cpp_name(a.name)}_" for a in attrs[1:]]
    parameters += [f"xla::ffi::AnyBuffer {cpp_name(t.name)}_" for t in op.inputs]
    parameters += [
        f"xla::ffi::Result<xla::ffi::AnyBuffer> {cpp_name(t.name)}_" for t in op.written
    ]
    rows = [(text, "") for text in _CONTEXT_BINDINGS[platform.name]]
    rows += [(f'.Attr<{a.type}>("{a.name}")', "") for a in attrs]
    rows += [(".Arg<xla::ffi::AnyBuffer>()", t.name) for t in op.inputs]
    rows += [(".Ret<xla::ffi::AnyBuffer>()", t.name) for t in op.written]
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
