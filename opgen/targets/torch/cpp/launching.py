"""Statements around a kernel in an adapter for PyTorch: its context, its choice, its workspace."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from opgen.ir.op import Op
from opgen.targets.cpp import launch
from opgen.targets.cpp.headers import cpp_kernels
from opgen.targets.cpp.kernel_methods import keeps
from opgen.targets.cpp.symbols import told

# The profiler range that shows which listed kernel runs.
_RANGE = "const opgen::torch::Range range(op, kernels, ctx.kernel);"


def enter(op: Op, reference: Iterable[str]) -> Iterator[str]:
    """Yield the context, and the handling of a call that the kernel does not take.

    `reference` are the statements that run the reference in its place.
    """
    if op.listed:
        yield "Context ctx(device);"
        if keeps(op):
            yield from launch.choose(
                op, "opgen::torch::choose(", "Context::platform", first="op, kernels, "
            )
        else:
            yield from launch.choose(op, "kernels.choose(", "Context::platform")
        if op.fallback:
            yield "if (ctx.kernel == kernels.reference) {"
            yield f"  {_RANGE}"
            yield from (f"  {line}" for line in reference)
            yield "}"
        yield from launch.forced(op, "kernels", "Context::platform")
        return
    yield f"{launch.const(*cpp_kernels(op))}Context ctx(device);"
    unmet = launch.unmet(op, "Context::platform")
    if unmet and op.fallback:
        yield f"if (!{unmet}.empty()) {{"
        yield from (f"  {line}" for line in reference)
        yield "}"
    elif unmet:
        yield f"opgen::takes(op, {unmet});"


def prepare(op: Op) -> Iterator[str]:
    """Yield the common context of a platform's kernels."""
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
    if op.listed:
        yield _RANGE
