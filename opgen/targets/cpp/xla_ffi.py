"""Views of an op's handlers for XLA: one function for each platform."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from opgen.ir.abi import entry_symbol, ffi_attrs, varies
from opgen.ir.abi_hash import meaning_hash
from opgen.ir.nodes import Tensor
from opgen.ir.op import Op
from opgen.ir.project import Project
from opgen.targets.cpp import launch
from opgen.targets.cpp.adapters import AdapterView
from opgen.targets.cpp.cpp_format import aligned, listing
from opgen.targets.cpp.names import PLATFORMS, Platform, given, member


@dataclass(frozen=True)
class HandlerView:
    """One FFI handler of an op for a platform; `on_host` has the results in host memory."""

    symbol: str
    function: str
    op_hash: str
    signature: str
    binding: tuple[str, ...]
    on_host: tuple[str, ...]
    context: str
    enter: tuple[str, ...]
    prepare: tuple[str, ...]
    workspace: str
    scratch: str
    entry: str
    op: AdapterView


def _argument(tensor: Tensor) -> str:
    """Return the parameter of an input. That of an updated input is not used."""
    return f"/*{tensor.name}*/" if tensor.update else f"{given(tensor.name)}"


def _on_host(op: Op) -> tuple[str, ...]:
    """Return the buffers that XLA has allocated for results, except lists."""
    return tuple(f"{member(t.name)}.buffer" for t in op.written if not t.list)


def handler(project: Project, op: Op, platform: Platform, adapter: AdapterView) -> HandlerView:
    """Return the FFI handler of the kernels for one platform."""
    kernels = op.kernels_for(platform.name)
    attrs = ffi_attrs(op)
    workspace, scratch = platform.workspace, ", scratch" if platform.scratch else ""
    allocates = scratch and (op.workspace or any(k.workspace for k in kernels))
    context = {**platform.given, **(platform.scratch if allocates else {})}
    parameters = [*context]
    rows = [(f".Ctx<{given_by}>()", "") for given_by in context.values()]
    if varies(op):
        parameters += ["xla::ffi::Dictionary attrs", "xla::ffi::RemainingArgs operands"]
        parameters.append("xla::ffi::RemainingRets results")
        rows += [(text, "") for text in (".Attrs()", ".RemainingArgs()", ".RemainingRets()")]
    else:
        results = (*op.written, *op.updated)
        parameters += ["int64_t batch_dims", "int64_t /*op_hash*/"]
        parameters += [f"{a.type} {given(own.name)}" for a, own in zip(attrs[2:], op.attrs)]
        parameters += [f"xla::ffi::AnyBuffer {_argument(t)}" for t in op.inputs]
        parameters += [f"xla::ffi::Result<xla::ffi::AnyBuffer> {given(t.name)}" for t in results]
        rows += [(f'.Attr<{a.type}>("{a.name}")', "") for a in attrs]
        rows += [(".Arg<xla::ffi::AnyBuffer>()", t.name) for t in op.inputs]
        rows += [(".Ret<xla::ffi::AnyBuffer>()", t.name) for t in results]
    # An author's kernel may have the name `<op>_<platform>`, and is declared in this namespace.
    function = f"{op.name}_{platform.name}_handler"
    symbol = entry_symbol(project.namespace, op, platform.name)
    return HandlerView(
        symbol=f"{symbol}_ffi",
        function=function,
        op_hash=f"0x{meaning_hash(project, op):012x}",
        signature=listing(f"xla::ffi::Error {function}(", parameters, ") {"),
        binding=tuple(aligned(rows)),
        on_host=_on_host(op) if platform.host else (),
        context=f"{launch.const(*kernels)}opgen::jax::{platform.context} ctx({platform.arguments})",
        enter=tuple(launch.jax_enter(op, kernels, symbol)),
        prepare=tuple(launch.jax_prepare(op, kernels, symbol, workspace, scratch)),
        workspace=workspace,
        scratch=scratch,
        entry=symbol,
        op=adapter,
    )


@dataclass(frozen=True)
class JaxPlatformView:
    """The handlers of one platform."""

    macro: str
    handlers: tuple[HandlerView, ...]


def jax_platforms(
    project: Project, ops: Sequence[tuple[Op, AdapterView]]
) -> Iterator[JaxPlatformView]:
    """Yield the platforms that some of `ops` have a kernel for."""
    for platform in PLATFORMS.values():
        handlers = tuple(
            handler(project, op, platform, adapter)
            for op, adapter in ops
            if op.kernel(platform.name)
        )
        if handlers:
            yield JaxPlatformView(platform.macro, handlers)
