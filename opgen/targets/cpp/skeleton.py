"""Print the first version of a family's kernels for one platform: functions that return an error.

opgen writes this file only once, and authors then edit it. Other rendered files are overwritten.
"""

from __future__ import annotations

from opgen.ir.nodes import Kernel, Tensor
from opgen.ir.op import Op
from opgen.ir.project import Family
from opgen.source.frozen import dataclass
from opgen.targets.cpp.cpp_format import doc
from opgen.targets.cpp.files import cpp_text
from opgen.targets.cpp.headers import view_name
from opgen.targets.cpp.names import cpp_name, struct
from opgen.targets.cpp.platforms import OWN, native_platforms
from opgen.targets.cpp.render import TEMPLATES

SUFFIXES = {each.name: each.suffix for each in OWN}


@dataclass(frozen=True)
class WorkspaceView:
    """The rendered function that returns the number of scratch bytes that a kernel needs."""

    of: str
    signature: str


@dataclass(frozen=True)
class KernelView:
    """A kernel function: its documentation, its declaration, and the tensors that it uses."""

    doc: str
    template: str
    signature: str
    reads: str
    writes: str


def skeleton(namespace: str, family: Family, platform: str) -> str:
    """Return the source of the kernels that `family` expects on `platform`, a key of `SUFFIXES`."""
    awaited = [(op, k) for op in family.ops for k in op.awaited if k.platform == platform]
    return cpp_text(
        TEMPLATES,
        "skeleton.j2",
        family=family.name,
        spec=family.spec,
        namespace=namespace,
        platform=platform,
        headers=native_platforms()[platform].headers,
        typed=[_typed(*each) for op, k in awaited if k.dispatch for each in _functions(op, k)],
        untyped=[
            _untyped(*each) for op, k in awaited if not k.dispatch for each in _functions(op, k)
        ],
        workspaces=[_workspace(op, k.workspace) for op, k in awaited if k.workspace],
    )


def _workspace(op: Op, name: str) -> WorkspaceView:
    parameters = f"const {struct(op, 'Descriptor')}& desc, opgen::DeviceProperties device"
    return WorkspaceView(op.name, f"int64_t {name}({parameters}) noexcept")


def _functions(op: Op, kernel: Kernel) -> list[tuple[Op, Kernel, str]]:
    """Return (op, kernel, C++ function name) for each symbol of a kernel."""
    return [(op, kernel, cpp_name(symbol)) for symbol in dict.fromkeys(kernel.symbol.values())]


def _typed(op: Op, kernel: Kernel, symbol: str) -> KernelView:
    """Return a kernel function with dispatch, which takes a view with C++ types."""
    types = [cpp_name(dtype) for dtype in kernel.dispatch]
    return KernelView(
        doc=doc(op.doc),
        template=f"template <{', '.join(f'class {name}' for name in types)}>",
        signature=f"opgen::Status {symbol}(const {view_name(op, kernel)}<{', '.join(types)}>& op) noexcept",
        reads=_listed("op.", op.inputs),
        writes=_listed("op.", _written(op)),
    )


def _untyped(op: Op, kernel: Kernel, symbol: str) -> KernelView:
    """Return a kernel function without dispatch, which must itself handle each dtype."""
    return KernelView(
        doc=doc(op.doc),
        template="",
        signature=f'extern "C" opgen::Status {symbol}(const {struct(op, "Args")}* args) noexcept',
        reads=_listed("args->", op.inputs),
        writes=_listed("args->", _written(op)),
    )


def _written(op: Op) -> tuple[Tensor, ...]:
    return (*op.written, *op.workspace, *op.updated)


def _listed(at: str, tensors: tuple[Tensor, ...]) -> str:
    return ", ".join(f"{at}{cpp_name(tensor.name)}" for tensor in tensors)
