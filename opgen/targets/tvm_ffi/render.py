"""The ops as functions of tvm-ffi: `__tvm_ffi_<op>` takes inputs, then attrs, then results to fill."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from opgen.ir.abi import entry_symbol
from opgen.ir.nodes import Attr
from opgen.ir.op import Op
from opgen.ir.project import Family, Project, Whole
from opgen.language.expr import Expr
from opgen.language.expr.cpp import quoted
from opgen.targets import environment
from opgen.targets.cpp.adapters import AdapterView, adapter
from opgen.targets.cpp.cpp_wrap import broken
from opgen.targets.cpp.names import given
from opgen.targets.target import OutputFile

FOLDER = Path(__file__).parent
# The types of attrs that functions take, and those of C++.
TYPES = {"float": "double", "int": "int64_t", "bool": "bool"}


@dataclass(frozen=True)
class AttrView:
    """A number among the arguments, and the one that None stands for, if there is one."""

    name: str
    label: str
    type: str
    default: str


@dataclass(frozen=True)
class FunctionView:
    """A function of tvm-ffi, and the entry of the kernel that it calls."""

    symbol: str
    entry: str
    signature: str
    attrs: tuple[AttrView, ...]
    count: int
    op: AdapterView


def family_outputs(project: Project, family: Family) -> Iterable[OutputFile]:
    """The functions of a family in `tvm_ffi/`, unless it has none."""
    ops = [op for op in family.ops if not lacks(project, op)]
    if not ops:
        return
    text = environment(FOLDER / "templates").get_template("functions.cpp.j2")
    functions = text.render(
        family=family.name,
        spec=family.spec,
        namespace=project.namespace,
        functions=[_view(project, op) for op in ops],
        left_out=[(op.name, why) for op in family.ops if (why := lacks(project, op))],
    )
    yield OutputFile(f"tvm_ffi/{family.name}.cpp", broken(functions))


def summary(project: Project, family: Family) -> bool:
    """Return True if the family has a function."""
    return any(not lacks(project, op) for op in family.ops)


def shared_outputs(whole: Whole, summaries: Sequence[bool]) -> Iterable[OutputFile]:
    """The header of all functions, and the CMake project of their library."""
    families = [name for name, has in zip(whole.families, summaries) if has]
    header = FOLDER / "runtime" / "exported.h"
    yield OutputFile("tvm_ffi/exported.h", header.read_text(), verbatim=True)
    text = environment(FOLDER / "templates").get_template("CMakeLists.txt.j2")
    yield OutputFile(
        "tvm_ffi/CMakeLists.txt", text.render(families=families, namespace=whole.namespace)
    )


def lacks(project: Project, op: Op) -> str:
    """Return the reason why an op has no function here, or nothing."""
    view = adapter(project, op)
    kernel = op.kernel("cpu")
    if kernel is None or op.listed or kernel.tune is not None:
        return "it has no single kernel for the CPU"
    if any(tensor.list for tensor in op.tensors):
        return "it takes lists of tensors"
    if wrong := next((a.name for a in op.attrs if a.type not in TYPES or not _plain(a)), ""):
        return f"`{wrong}` is not a float, int or bool with a literal default"
    if view.torch_prepare or len(view.torch_enter) > 1 or view.workspace or kernel.workspace:
        return "its kernel needs workspace or a grid"
    if view.torch_arranged or view.torch_aligned or op.on_request:
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
        op=adapter(project, op),
    )


def _attr(attr: Attr) -> AttrView:
    default = "" if attr.required else str(attr.default).lower()
    return AttrView(given(attr.name), quoted(attr.name), TYPES[attr.type], default)
