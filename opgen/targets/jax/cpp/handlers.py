"""Prepare an op's XLA handlers: one C++ function for each platform."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from opgen.ir.abi import entry_symbol
from opgen.ir.abi_hash import meaning_hash
from opgen.ir.nodes import Kernel, Tensor
from opgen.ir.op import Op
from opgen.ir.project import Project
from opgen.source.frozen import dataclass
from opgen.targets.cpp import launch
from opgen.targets.cpp.adapters import AdapterView, adapter
from opgen.targets.cpp.cpp_format import aligned, listing
from opgen.targets.cpp.kernel_methods import keeps
from opgen.targets.cpp.names import given, member
from opgen.targets.cpp.platforms import CppPlatform, native_platforms
from opgen.targets.cpp.symbols import told
from opgen.targets.jax.cpp.operands import ReceivedView, received
from opgen.targets.jax.ffi import ffi_attrs, varies


@dataclass(frozen=True)
class HandlerView:
    """The XLA FFI handler of one op for one platform."""

    # The op, and the statements that are the same on every platform.
    op: AdapterView
    received: ReceivedView
    # The exported symbol, the C++ function, and the parameters of the function.
    symbol: str
    function: str
    signature: str
    # The hash of the op. The handler rejects a saved program with another hash.
    op_hash: str
    # The binding that tells XLA which attribute, operand or result each parameter receives.
    binding: tuple[str, ...]
    # The buffers of those results that are in host memory.
    on_host: tuple[str, ...]
    # The statement that creates the launch context.
    context: str
    # The code that chooses from a list of kernels, or that reports why a single kernel rejects the
    # call.
    choice: launch.ChoiceView | None
    unmet: str
    # The statements that complete the launch context.
    prepare: tuple[str, ...]
    # The class that allocates workspace, and its extra argument.
    workspace: str
    scratch: str
    # The entry: the C function that runs the kernel.
    entry: str


def _argument(tensor: Tensor) -> str:
    """Return the parameter that receives an input. The parameter of an updated input has no name,
    because the handler uses the corresponding result instead.
    """
    return f"/*{tensor.name}*/" if tensor.update else f"{given(tensor.name)}"


def _on_host(op: Op) -> tuple[str, ...]:
    """Return the code of each buffer that XLA has allocated for a result. Lists are excluded."""
    return tuple(f"{member(t.name)}.buffer" for t in op.written if not t.list)


def handler(
    project: Project, op: Op, platform: CppPlatform, adapter: AdapterView, received: ReceivedView
) -> HandlerView:
    """Return the XLA FFI handler of an op for one platform."""
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
    # A user's kernel may be called `<op>_<platform>`, and is declared in this namespace.
    function = f"{op.name}_{platform.name}_handler"
    symbol = entry_symbol(project.namespace, op, platform.name)
    return HandlerView(
        op=adapter,
        received=received,
        symbol=f"{symbol}_ffi",
        function=function,
        op_hash=f"0x{meaning_hash(project, op):012x}",
        signature=listing(f"xla::ffi::Error {function}(", parameters, ") {"),
        binding=tuple(aligned(rows)),
        on_host=_on_host(op) if platform.host else (),
        context=f"{launch.const(*kernels)}opgen::jax::{platform.context} ctx({platform.arguments})",
        choice=choice(op, symbol),
        unmet=launch.unmet(op, "ctx.platform") if kernels[0].demanding else "",
        prepare=tuple(prepare(op, kernels, symbol, workspace, scratch)),
        workspace=workspace,
        scratch=scratch,
        entry=symbol,
    )


def choice(op: Op, entry: str) -> launch.ChoiceView | None:
    """Return the code that chooses from the op's list of kernels, or None without a list. JAX has
    already checked the call while tracing.
    """
    last = ", 0" if keeps(op) else ""
    return launch.choice(op, f"{entry}_kernels", "ctx.platform", last=last) if op.listed else None


def prepare(
    op: Op, kernels: Sequence[Kernel], entry: str, memory: str, allocator: str
) -> Iterator[str]:
    """Yield the statements that complete the launch context. `memory` is the class that allocates
    workspace.
    """
    if any(map(told, kernels)):
        yield f"ctx.symbol = call.symbol(ctx.platform{launch.chosen_kernel(op)});"
    if any(k.grid or k.block for k in kernels):
        yield f"ctx.start({launch.launching(op, 'ctx.platform')});"
    if any(k.workspace for k in kernels):
        size = (
            f"{launch.workspace_symbol(entry)}(&desc, ctx.properties(){launch.chosen_kernel(op)})"
        )
        yield f"const {memory} memory(opgen::scratch(op, {size}){allocator});"
        yield "ctx.use(memory.buffer);"


@dataclass(frozen=True)
class JaxPlatformView:
    """The handlers of one platform."""

    macro: str
    handlers: tuple[HandlerView, ...]


def platforms(project: Project, ops: Iterable[Op]) -> Iterator[JaxPlatformView]:
    """Yield the handlers of each platform for which some of `ops` have a kernel."""
    views = [(op, adapter(op), received(op)) for op in ops]
    for platform in native_platforms().values():
        handlers = tuple(
            handler(project, op, platform, view, statements)
            for op, view, statements in views
            if op.kernel(platform.name)
        )
        if handlers:
            yield JaxPlatformView(platform.macro, handlers)
