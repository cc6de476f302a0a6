"""The kernel kind `tvm_ffi`: functions that an existing library exports for tvm-ffi."""

from __future__ import annotations

from collections.abc import Iterable

from opgen.ir.kinds import COMPILED_KEYS
from opgen.ir.nodes import Field, Kernel, Tensor
from opgen.ir.op import Op
from opgen.ir.project import Project
from opgen.language.expr import Name
from opgen.targets.cpp.cpp_format import listing
from opgen.targets.cpp.foreign import argument, foreign_name
from opgen.targets.cpp.kinds import CppKind
from opgen.targets.cpp.names import cpp_name
from opgen.targets.cpp.platforms import CppPlatform


class TvmFfi(CppKind):
    """Kernels that are tvm-ffi functions. They accept tensors as DLPack structs."""

    excludes = (*COMPILED_KEYS, "call", "triton")

    def function(self, named: str) -> str:
        return named.rpartition(":")[2].partition("(")[0].strip()

    def headers(self, platform: CppPlatform) -> Iterable[str]:
        return ("opgen/tvm_ffi.h",)

    def declaration(self, project: Project, op: Op, kernel: Kernel) -> str:
        return declaration(op, kernel)

    def run(self, op: Op, kernel: Kernel, args: str, row: str) -> str:
        return call(op, kernel)


KIND = TvmFfi()


def declaration(op: Op, kernel: Kernel) -> str:
    """Return the C++ declaration that gives the library's function a name chosen by opgen."""
    head = f'extern "C" opgen::tvm_ffi::Function {foreign_name(op, kernel)}'
    return f'{head} __asm__("__tvm_ffi_{kernel.tvm_ffi}");'


def call(op: Op, kernel: Kernel) -> str:
    """Return the C++ code that calls the library's function."""
    values = []
    for name in kernel.args:
        found = argument(op, name)
        value = f"args->{'' if isinstance(found, Tensor) else 'desc->'}{cpp_name(name)}"
        is_dtype = isinstance(found, Field) and _is_dtype(op, found)
        values.append(f"static_cast<opgen::ElementType>({value})" if is_dtype else value)
    given = ["*args->ctx", f"opgen::tvm_ffi::{kernel.platform}", foreign_name(op, kernel), *values]
    return listing("opgen::tvm_ffi::call(", given, ")")


def _is_dtype(op: Op, field: Field) -> bool:
    """Return whether a descriptor field holds the code of a dtype, whatever the field's type."""
    dtypes = {*(v.name for v in op.dtypes), *(a.name for a in op.attrs if a.type == "dtype")}
    return isinstance(field.value, Name) and field.value.id in dtypes
