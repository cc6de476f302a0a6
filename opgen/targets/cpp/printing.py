"""Print expressions, shapes and cases in C++. Names refer to the members of the checked call."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from opgen.ir.layouts import Layout, Like, Order
from opgen.ir.nodes import Requirement, Tensor
from opgen.ir.op import Op
from opgen.language.expr import Const, text_of
from opgen.language.expr.cpp import ADD, AND, CppPrinter, quoted
from opgen.language.shapes import Group, Shape
from opgen.spec.cases import Cases
from opgen.targets.cpp.cpp_format import order_text
from opgen.targets.cpp.names import call_name, member

V = TypeVar("V")


def printer_of(op: Op) -> CppPrinter:
    """Return a printer for expressions of `op`. Names become members of the checked call."""
    return CppPrinter(
        floats={a.name for a in op.attrs if a.kind.kind == "float"},
        float_groups={a.name for a in op.attrs if a.kind.kind == "floats"},
        optional={a.name for a in op.attrs if a.optional},
        made={t.name for t in (*op.written, *op.workspace)},
        name=call_name,
    )


def shape_text(shape: Shape, printer: CppPrinter) -> str:
    """Return the C++ code of a shape: an `opgen::Shape`."""
    terms = ["opgen::Shape()"]
    for term in shape.terms:
        if isinstance(term, Group):
            terms.append(member(term.name) + ("[i]" if term.each else ""))
        elif isinstance(term.size, Const):
            terms.append(f"opgen::Int({printer(term.size)})")
        else:
            terms.append(printer(term.size, ADD))
    return " << ".join(terms)


def layout_order(tensor: Tensor, layout: Layout) -> str:
    """Return the C++ code of a layout's memory order. In a list, the tensor has the index `i`."""
    match layout:
        case Like(name):
            return f"opgen::order_of({member(name)}{'[i]' if tensor.list else ''})"
        case Order(groups=()):
            return order_text(layout)
        case Order(groups=groups):
            widths = [
                "1" if g is None else "-1" if g.each else f"opgen::len({member(g.name)})"
                for g in groups
            ]
            return f"opgen::spread({order_text(layout)}, {{{', '.join(widths)}}})"
    return "opgen::Order()"


def message(op: Op, requirement: Requirement, printer: CppPrinter) -> list[str]:
    """Return the code of the arguments of the error for an unmet requirement. They are the text of
    the requirement, then the values of the names in it.
    """
    items = [quoted(requirement.message or text_of(requirement.condition))]
    for name in op.values_in(requirement.condition):
        items += [quoted(name), printer.name(name)]
    return items


def cased(cases: Cases[V], printer: CppPrinter, text: Callable[[V], str]) -> str:
    """Return a chain of C++ conditional expressions with a branch for each case."""
    *rest, (condition, value) = cases.cases
    result = text(value)
    for test, earlier in reversed(rest):
        result = f"{printer(test, AND)} ? {text(earlier)} : {result}"
    return result
