"""Print the parts of an adapter that prepare a launch: requirements, grid and workspace."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from opgen.ir.nodes import Kernel
from opgen.ir.op import Op
from opgen.language.expr import Expr
from opgen.language.shapes import Shape
from opgen.source.frozen import dataclass
from opgen.targets.cpp.cpp_format import listing
from opgen.targets.cpp.headers import cpp_kernels
from opgen.targets.cpp.kernel_methods import asks_device, facts_of, keeps
from opgen.targets.cpp.names import member, struct
from opgen.targets.cpp.symbols import told


def const(*kernels: Kernel) -> str:
    """Return `const ` if launching these kernels does not change the launch context, else ""."""
    added = (k.listed or k.grid or k.block or k.workspace or told(k) for k in kernels)
    return "" if any(added) else "const "


@dataclass(frozen=True)
class ChoiceView:
    """The code in an adapter that chooses a kernel from the op's list (`templates/choice.j2`)."""

    # The C++ object `opgen::Kernels`, and the platform of the call.
    kernels: str
    platform: str
    # The function that chooses, with extra first and last arguments.
    function: str
    first: str
    last: str
    # The argument that passes the device to methods of the call, if they need it.
    device: str
    # The statement that creates an entry's arguments when the results do not exist yet.
    arguments: str
    # True if calls may require a guarantee. `asked` is the argument that passes it.
    keeps: bool
    asked: str


def choice(
    op: Op, kernels: str, platform: str, function: str = "", first: str = "", last: str = ""
) -> ChoiceView:
    """Return the code that chooses a kernel from the op's list of kernels."""
    inputs = {t.name for t in op.inputs}
    buffers = [f"{member(t.name)}.buffer" if t.name in inputs else "{}" for t in op.tensors]
    return ChoiceView(
        kernels=kernels,
        platform=platform,
        function=function or f"{kernels}.choose(",
        first=first,
        last=last,
        device=", ctx.properties()" if asks_device(*facts_of(op)) else "",
        arguments=listing(f"const {struct(op, 'Args')} args{{", ["&desc", "&ctx", *buffers], "};"),
        keeps=keeps(op),
        asked=f", {kernels}.asked()" if keeps(op) else "",
    )


def choice_parameter(op: Op) -> list[str]:
    """Return the template parameter for a platform's list of kernels, or [] without a list."""
    return [f"opgen::Kernels<{struct(op, 'Args')}>& kernels"] if op.listed else []


def choice_argument(op: Op, entry: str) -> list[str]:
    return [f"{entry}_kernels"] if op.listed else []


def fills(op: Op) -> Iterator[str]:
    """Yield the statements that write `init` to results and workspace before the kernel runs."""
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
    """Return the template argument with the workspace function for `platform`, or `nullptr`."""
    if not workspace_parameter(op):
        return []
    asking = any(kernel.workspace for kernel in op.kernels_for(platform))
    return [workspace_symbol(entry) if asking else "nullptr"]


def workspace_symbol(entry: str) -> str:
    """Return the name of the exported function that returns the workspace size."""
    return f"{entry}_workspace"


def chosen_kernel(op: Op) -> str:
    """Return the code of the argument that passes the chosen kernel to a method of the call. Return
    "" if the op has no list of kernels.
    """
    return ", ctx.kernel" if op.listed else ""


def unmet(op: Op, platform: str) -> str:
    demanding = any(k.demanding for k in cpp_kernels(op))
    return _asked("unmet", platform, facts_of(op)) if demanding else ""


def launching(op: Op, platform: str) -> str:
    extents = [e for k in cpp_kernels(op) for e in (*k.grid, *k.block)]
    return _asked("launch", f"{platform}{chosen_kernel(op)}", extents)


def _asked(method: str, platform: str, facts: Iterable[Expr | Shape]) -> str:
    """Return code that calls `method` to evaluate `facts`, and passes the device if needed."""
    device = ", ctx.properties()" if asks_device(*facts) else ""
    return f"call.{method}({platform}{device})"
