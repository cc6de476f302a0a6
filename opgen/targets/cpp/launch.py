"""How adapters start a kernel: what it requires, its grid, the workspace that it asks for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from opgen.ir.nodes import Kernel, Op
from opgen.language.expr import Expr
from opgen.language.shapes import Shape
from opgen.targets.cpp.calls import asks_device, facts_of
from opgen.targets.cpp.headers import cpp_kernels
from opgen.targets.cpp.names import member, struct
from opgen.targets.cpp.symbols import told


def const(*kernels: Kernel) -> str:
    """`const `, where nothing is added to the context of these kernels."""
    added = (k.grid or k.block or k.workspace or told(k) for k in kernels)
    return "" if any(added) else "const "


def torch_enter(op: Op, reference: Iterable[str]) -> Iterator[str]:
    """The context, and what becomes of a call that the kernel does not take.

    `reference` are the statements that run the reference in its place.
    """
    yield f"{const(*cpp_kernels(op))}Context ctx(device);"
    unmet = _unmet(op, "Context::platform")
    if unmet and op.fallback:
        yield f"if (!{unmet}.empty()) {{"
        yield from (f"  {line}" for line in reference)
        yield "}"
    elif unmet:
        yield f"opgen::takes(op, {unmet});"


def torch_prepare(op: Op) -> Iterator[str]:
    """What the context of a platform's kernel holds, whichever platform it is."""
    kernels = cpp_kernels(op)
    if any(map(told, kernels)):
        yield "ctx.symbol = call.symbol(Context::platform);"
    if any(k.grid or k.block for k in kernels):
        yield f"ctx.start({_launch(op, 'Context::platform')});"
    if any(k.workspace for k in kernels):
        yield "const int64_t bytes = workspace == nullptr ? 0 : workspace(&desc, ctx.properties());"
        yield "const Output memory(opgen::scratch(op, bytes), device);"
        yield "ctx.use(memory.buffer);"
    yield from fills(op)


def fills(op: Op) -> Iterator[str]:
    """What gives tensors the values that they hold before the kernel runs."""
    for tensor in (*op.written, *op.workspace):
        if tensor.init is not None:
            name = member(tensor.name)
            there = "" if tensor.always else f"if (call.{name}present()) "
            yield f"{there}ctx.fill({name}.buffer, call.{name}init());"


def workspace_parameter(op: Op) -> list[str]:
    """The template parameter that is the function which gives the size of the workspace."""
    if not any(k.workspace for k in cpp_kernels(op)):
        return []
    return [f"opgen::WorkspaceOf<{struct(op, 'Descriptor')}>* workspace"]


def workspace_argument(op: Op, platform: str, entry: str) -> list[str]:
    """That function of the kernel for `platform`."""
    if not workspace_parameter(op):
        return []
    kernel = op.kernel(platform)
    return [workspace_symbol(entry) if kernel and kernel.workspace else "nullptr"]


def workspace_symbol(entry: str) -> str:
    """The exported function of an entry that gives the size of its workspace."""
    return f"{entry}_workspace"


def jax_enter(op: Op, kernel: Kernel) -> Iterator[str]:
    """What refuses a call that the kernel does not take: JAX has looked while tracing."""
    if kernel.demanding:
        yield f"opgen::takes(op, {_unmet(op, 'ctx.platform')});"


def jax_prepare(op: Op, kernel: Kernel, entry: str, memory: str, allocator: str) -> Iterator[str]:
    """What the context of the kernel holds; `memory` is the class of its workspace."""
    if told(kernel):
        yield "ctx.symbol = call.symbol(ctx.platform);"
    if kernel.grid or kernel.block:
        yield f"ctx.start({_launch(op, 'ctx.platform')});"
    if kernel.workspace:
        size = f"{workspace_symbol(entry)}(&desc, ctx.properties())"
        yield f"const {memory} memory(opgen::scratch(op, {size}){allocator});"
        yield "ctx.use(memory.buffer);"


def _unmet(op: Op, platform: str) -> str:
    demanding = any(k.demanding for k in cpp_kernels(op))
    return _asked("unmet", platform, facts_of(op)) if demanding else ""


def _launch(op: Op, platform: str) -> str:
    extents = [e for k in cpp_kernels(op) for e in (*k.grid, *k.block)]
    return _asked("launch", platform, extents)


def _asked(method: str, platform: str, facts: Iterable[Expr | Shape]) -> str:
    """A call of the method, which may want to know the device for these facts."""
    device = ", ctx.properties()" if asks_device(*facts) else ""
    return f"call.{method}({platform}{device})"
