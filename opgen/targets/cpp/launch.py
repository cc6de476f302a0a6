"""The launch of a kernel by an adapter: its requirements, its grid, its workspace."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from opgen.ir.nodes import Kernel
from opgen.ir.op import Op
from opgen.language.expr import Expr
from opgen.language.shapes import Shape
from opgen.targets.cpp.cpp_format import listing
from opgen.targets.cpp.headers import cpp_kernels
from opgen.targets.cpp.kernel_methods import asks_device, facts_of, keeps
from opgen.targets.cpp.names import member, struct
from opgen.targets.cpp.symbols import told

# The profiler range that shows which listed kernel runs.
_RANGE = "const opgen::torch::Range range(op, kernels, ctx.kernel);"


def const(*kernels: Kernel) -> str:
    """Return `const ` if nothing is added to the context of these kernels."""
    added = (k.listed or k.grid or k.block or k.workspace or told(k) for k in kernels)
    return "" if any(added) else "const "


def torch_enter(op: Op, reference: Iterable[str]) -> Iterator[str]:
    """Yield the context, and the handling of a call that the kernel does not take.

    `reference` are the statements that run the reference in its place.
    """
    if op.listed:
        yield "Context ctx(device);"
        if keeps(op):
            yield from _choose(
                op, "opgen::torch::choose(", "Context::platform", first="op, kernels, "
            )
        else:
            yield from _choose(op, "kernels.choose(", "Context::platform")
        if op.fallback:
            yield "if (ctx.kernel == kernels.reference) {"
            yield f"  {_RANGE}"
            yield from (f"  {line}" for line in reference)
            yield "}"
        yield from _forced(op, "kernels", "Context::platform")
        return
    yield f"{const(*cpp_kernels(op))}Context ctx(device);"
    unmet = _unmet(op, "Context::platform")
    if unmet and op.fallback:
        yield f"if (!{unmet}.empty()) {{"
        yield from (f"  {line}" for line in reference)
        yield "}"
    elif unmet:
        yield f"opgen::takes(op, {unmet});"


def _choose(op: Op, function: str, platform: str, first: str = "", last: str = "") -> Iterator[str]:
    """Yield the statements that find a call's listed kernel; `first` and `last`: extra
    arguments.
    """
    inputs = {t.name for t in op.inputs}
    buffers = [f"{member(t.name)}.buffer" if t.name in inputs else "{}" for t in op.tensors]
    device = ", ctx.properties()" if asks_device(*facts_of(op)) else ""
    yield f"ctx.kernel = {function}"
    yield f"    {first}[&] {{ return call.kernel({platform}{device}); }},"
    yield "    [&](const auto& takes) {"
    yield f"      const {struct(op, 'Descriptor')} desc = call.descriptor();"
    lines = listing(f"const {struct(op, 'Args')} args{{", ["&desc", "&ctx", *buffers], "};")
    yield from (f"      {line}" for line in lines.splitlines())
    yield "      return takes(&args);"
    if not keeps(op):
        yield "    });"
        return
    yield "    },"
    yield f"    [&](int32_t each) {{ return call.unmet({platform}, each{device}); }}{last});"


def _forced(op: Op, kernels: str, platform: str) -> Iterator[str]:
    """Yield statements that reject a call no kernel accepts, or the forced one does not."""
    device = ", ctx.properties()" if asks_device(*facts_of(op)) else ""
    asked = f", {kernels}.asked()" if keeps(op) else ""
    yield f"if ({kernels}.unsure(ctx.kernel)) {{"
    yield f"  opgen::takes(op, ctx.kernel, call.unmet({platform}, ctx.kernel{device}){asked});"
    yield "}"


def choice_parameter(op: Op) -> list[str]:
    """Return the template parameter for a platform's kernels, if the spec lists several."""
    return [f"opgen::Kernels<{struct(op, 'Args')}>& kernels"] if op.listed else []


def choice_argument(op: Op, entry: str) -> list[str]:
    return [f"{entry}_kernels"] if op.listed else []


def torch_prepare(op: Op) -> Iterator[str]:
    """Yield the common context of a platform's kernels."""
    kernels = cpp_kernels(op)
    if any(map(told, kernels)):
        yield f"ctx.symbol = call.symbol(Context::platform{_kernel(op)});"
    if any(k.grid or k.block for k in kernels):
        yield f"ctx.start({_launch(op, 'Context::platform')});"
    if any(k.workspace for k in kernels):
        size = f"workspace(&desc, ctx.properties(){_kernel(op)})"
        yield f"const int64_t bytes = workspace == nullptr ? 0 : {size};"
        yield "const Output memory(opgen::scratch(op, bytes), device);"
        yield "ctx.use(memory.buffer);"
    yield from fills(op)
    if op.listed:
        yield _RANGE


def fills(op: Op) -> Iterator[str]:
    """Yield the statements that give tensors their values before the kernel runs."""
    for tensor in (*op.written, *op.workspace):
        if tensor.init is not None:
            name = member(tensor.name)
            there = "" if tensor.always else f"if (call.{name}present()) "
            yield f"{there}ctx.fill({name}.buffer, call.{name}init());"


def workspace_parameter(op: Op) -> list[str]:
    """Return the template parameter for the function that returns the workspace size."""
    if not any(k.workspace for k in cpp_kernels(op)):
        return []
    kind = "WorkspaceOfEach" if op.listed else "WorkspaceOf"
    return [f"opgen::{kind}<{struct(op, 'Descriptor')}>* workspace"]


def workspace_argument(op: Op, platform: str, entry: str) -> list[str]:
    """Return the workspace function of the kernel for `platform`."""
    if not workspace_parameter(op):
        return []
    asking = any(kernel.workspace for kernel in op.kernels_for(platform))
    return [workspace_symbol(entry) if asking else "nullptr"]


def workspace_symbol(entry: str) -> str:
    """Return the exported function of an entry that gives the size of its workspace."""
    return f"{entry}_workspace"


def jax_enter(op: Op, kernels: Sequence[Kernel], entry: str) -> Iterator[str]:
    """Yield the statements that reject a call no kernel takes. JAX has checked while tracing."""
    if op.listed:
        function, last = f"{entry}_kernels.choose(", ", 0" if keeps(op) else ""
        yield from _choose(op, function, "ctx.platform", last=last)
        yield from _forced(op, f"{entry}_kernels", "ctx.platform")
    elif kernels[0].demanding:
        yield f"opgen::takes(op, {_unmet(op, 'ctx.platform')});"


def jax_prepare(
    op: Op, kernels: Sequence[Kernel], entry: str, memory: str, allocator: str
) -> Iterator[str]:
    """Yield the context of a kernel; `memory` is the class of its workspace."""
    if any(map(told, kernels)):
        yield f"ctx.symbol = call.symbol(ctx.platform{_kernel(op)});"
    if any(k.grid or k.block for k in kernels):
        yield f"ctx.start({_launch(op, 'ctx.platform')});"
    if any(k.workspace for k in kernels):
        size = f"{workspace_symbol(entry)}(&desc, ctx.properties(){_kernel(op)})"
        yield f"const {memory} memory(opgen::scratch(op, {size}){allocator});"
        yield "ctx.use(memory.buffer);"


def _kernel(op: Op) -> str:
    """Return the argument that selects a listed kernel in a method of the call."""
    return ", ctx.kernel" if op.listed else ""


def _unmet(op: Op, platform: str) -> str:
    demanding = any(k.demanding for k in cpp_kernels(op))
    return _asked("unmet", platform, facts_of(op)) if demanding else ""


def _launch(op: Op, platform: str) -> str:
    extents = [e for k in cpp_kernels(op) for e in (*k.grid, *k.block)]
    return _asked("launch", f"{platform}{_kernel(op)}", extents)


def _asked(method: str, platform: str, facts: Iterable[Expr | Shape]) -> str:
    """Return a call of the method, with the device if these facts need it."""
    device = ", ctx.properties()" if asks_device(*facts) else ""
    return f"call.{method}({platform}{device})"
