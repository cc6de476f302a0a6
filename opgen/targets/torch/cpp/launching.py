"""Print the statements of a PyTorch adapter that choose and launch a kernel."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.ir.op import Op
from opgen.targets.cpp import launch
from opgen.targets.cpp.headers import cpp_kernels
from opgen.targets.cpp.kernel_methods import keeps
from opgen.targets.cpp.symbols import told


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
