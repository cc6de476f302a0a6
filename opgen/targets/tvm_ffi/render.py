"""Render the ops as tvm-ffi functions. The function of an op is called `__tvm_ffi_<op>`.

Its arguments are inputs, then attrs, then results, which the function writes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from opgen.ir.abi import entry_symbol
from opgen.ir.layouts import arranged
from opgen.ir.nodes import Attr
from opgen.ir.op import Op
from opgen.ir.project import Family, Project, Whole
from opgen.language.expr import Expr
from opgen.language.expr.cpp import quoted
from opgen.source.frozen import dataclass
from opgen.targets import environment
from opgen.targets.cpp import launch
from opgen.targets.cpp.adapters import AdapterView, adapter, construct
from opgen.targets.cpp.files import cpp_file
from opgen.targets.cpp.headers import cpp_kernels
from opgen.targets.cpp.names import given
from opgen.targets.target import OutputFile

FOLDER = Path(__file__).parent
TEMPLATES = FOLDER / "templates"
# The attr types that functions accept, with their C++ types.
TYPES = {"float": "double", "int": "int64_t", "bool": "bool"}


@dataclass(frozen=True)
class AttrView:
    """A numeric argument. `default` is the value that replaces None, or "" if None is invalid."""

    name: str
    label: str
    type: str
    default: str


@dataclass(frozen=True)
class FunctionView:
    """A tvm-ffi function, and the kernel entry that it calls."""

    symbol: str
    entry: str
    signature: str
    attrs: tuple[AttrView, ...]
    count: int
    call: str
    op: AdapterView


def family_outputs(project: Project, family: Family) -> Iterable[OutputFile]:
    """Yield the file in `tvm_ffi/` with the functions of a family, if an op has a function."""
    ops = [op for op in family.ops if not lacks(op)]
    if not ops:
        return
    yield cpp_file(
        TEMPLATES,
        "functions.cpp.j2",
        f"tvm_ffi/{family.name}.cpp",
        family=family.name,
        spec=family.spec,
        namespace=project.namespace,
        functions=[_view(project, op) for op in ops],
        left_out=[(op.name, why) for op in family.ops if (why := lacks(op))],
    )


def summary(project: Project, family: Family) -> bool:
    """Return whether at least one op of the family has a tvm-ffi function."""
    return any(not lacks(op) for op in family.ops)


def shared_outputs(whole: Whole, summaries: Sequence[bool]) -> Iterable[OutputFile]:
    """Yield the header that all functions share, and the CMake project of their library."""
    families = [name for name, has in zip(whole.families, summaries) if has]
    header = FOLDER / "runtime" / "exported.h"
    yield OutputFile("tvm_ffi/exported.h", header.read_text(), verbatim=True)
    text = environment(TEMPLATES).get_template("CMakeLists.txt.j2")
    yield OutputFile(
        "tvm_ffi/CMakeLists.txt", text.render(families=families, namespace=whole.namespace)
    )


def lacks(op: Op) -> str:
    """Return the reason why an op has no tvm-ffi function, or "" if it has one."""
    kernel = op.kernel("cpu")
    if kernel is None or op.listed or kernel.tune is not None:
        return "it has no single kernel for the CPU"
    if any(tensor.list for tensor in op.tensors):
        return "it takes lists of tensors"
    if wrong := next((a.name for a in op.attrs if a.type not in TYPES or not _plain(a)), ""):
        return f"`{wrong}` is not a float, int or bool with a literal default"
    kernels = cpp_kernels(op)
    plain = launch.const(*kernels) and not any(k.demanding for k in kernels)
    if not plain or op.workspace or any(launch.fills(op)):
        return "its kernel needs workspace or a grid"
    if any(t.align or arranged(op, t) for t in op.inputs) or op.on_request:
        return "its layouts are not row-major"
    return ""


def _plain(attr: Attr) -> bool:
    computed = attr.computed is not None or isinstance(attr.default, Expr)
    return not (attr.optional or attr.choices or computed)


def _view(project: Project, op: Op) -> FunctionView:
    tensors, attrs = (op.inputs, op.written), [a.name for a in op.attrs]
    inputs, results = ([t.name for t in each] for each in tensors)
    names = [*inputs, *attrs, *results]
    return FunctionView(
        symbol=f"__tvm_ffi_{op.name}",
        entry=entry_symbol(project.namespace, op, "cpu"),
        signature=", ".join(names),
        attrs=tuple(map(_attr, op.attrs)),
        count=len(names),
        call=construct(op, [given(name) for name in attrs]),
        op=adapter(op),
    )


def _attr(attr: Attr) -> AttrView:
    default = "" if attr.required else str(attr.default).lower()
    return AttrView(given(attr.name), quoted(attr.name), TYPES[attr.type], default)
