"""Print the C++ table of descriptors for the pybind11 module `bindings`."""

from __future__ import annotations

from opgen.ir.nodes import Field
from opgen.ir.op import Op
from opgen.language.expr.cpp import quoted
from opgen.targets.cpp.cpp_format import listing
from opgen.targets.cpp.cpp_wrap import broken
from opgen.targets.cpp.names import cpp_name


def row(op: Op) -> str:
    """Return the C++ lines that list one op's descriptor: its name, size and fields."""
    fields = listing("{", map(_field, op.descriptor.fields), "}")
    return broken(listing("    {", [quoted(op.name), str(op.descriptor.size), fields], "},"))


def _field(field: Field) -> str:
    items = [quoted(field.name), cpp_name(field.type), str(field.offset)]
    return listing("{", [*items, str(field.count)] if field.count else items, "}")
