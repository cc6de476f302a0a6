"""Print the body of `infer`, the Python function that checks a call and returns its results.

The sections have the order of "A call, step by step" in docs/language/calls.md: attrs, presence,
dtypes, sizes, comparison, derived values, requirements.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from opgen.ir.layouts import Layout, Like, Order, layouts
from opgen.ir.nodes import Attr, Requirement, Tensor
from opgen.ir.op import Op
from opgen.ir.origins import said_of
from opgen.language.dtypes import DTYPES
from opgen.language.expr import Expr, names_in, substitute, text_of
from opgen.language.expr.python import literal
from opgen.language.shapes import Group, Shape, Term
from opgen.spec.models.tensors import MEASURES
from opgen.targets.core.decisions import Decisions
from opgen.targets.core.printer import Printer, section
from opgen.targets.core.sizes import Sizes
from opgen.targets.python_format import block, call, quoted, tuple_of


class InferBody:
    """Prints the body of `infer`, section by section."""

    def __init__(self, op: Op) -> None:
        self.op = op
        self.printer = Printer(op)

    def sections(self) -> tuple[str, ...]:
        """Return the code of each section, without empty sections."""
        found = (
            self.attrs(),
            Decisions(self.printer).text(),
            Sizes(self.printer).text(),
            self.derived(),
            self.require(),
            self.values(),
            self.returns(),
        )
        return tuple(filter(None, found))

    def attrs(self) -> str:
        lines = [self.attr(attr) for attr in self.op.attrs]
        if self.op.on_request:
            names = tuple_of(quoted(t.name) for t in self.op.on_request)
            lines.append(self.printer.helper("check_wanted", "wanted", names, head="wanted = "))
        return section("Attributes.", lines)

    def attr(self, attr: Attr) -> str:
        options = []
        if attr.choices:
            options.append(f"choices={tuple_of(literal(c) for c in attr.choices)}")
        if attr.min is not None:
            options.append(f"low={literal(attr.min)}")
        if attr.max is not None:
            options.append(f"high={literal(attr.max)}")
        if attr.nullable or attr.computed:
            options.append("optional=True")
        return self.printer.helper(
            "check_attr",
            quoted(attr.name),
            attr.name,
            quoted(attr.type),
            *options,
            head=f"{attr.name} = ",
        )

    def derived(self) -> str:
        lines = [
            block(f"if {attr.name} is None:", [f"{attr.name} = {self.printer.expr(attr.default)}"])
            for attr in self.op.attrs
            if isinstance(attr.default, Expr)
        ]
        lines += [f"{name} = {self.printer.expr(value)}" for name, value in self.op.dims]
        return section("Values that follow from the sizes.", lines)

    def require(self) -> str:
        return section("Requirements.", map(self.requirement, self.op.require))

    def requirement(self, item: Requirement) -> str:
        text = item.message or text_of(item.condition)
        names = [name for name in names_in(item.condition) if name not in DTYPES]
        whole = names_in(substitute(item.condition, dict(self.op.dims)))
        shown = dict.fromkeys([*names, *filter(self.printer.is_attr, whole)])
        values = [f"{name}={name}" for name in shown if not self.asked(name)]
        of = said_of(self.op, [*names, *whole])
        values = [*([quoted(of)] if of else []), *values]
        condition = self.printer.expr(item.condition)
        check = self.printer.helper("require", condition, quoted(text), *values)
        if item.each is None:
            return check
        return block(f"for i in {self.printer.own('range')}({item.each}):", [check])

    def asked(self, name: str) -> bool:
        """Return whether `name` is an output, a residual or workspace. Messages cannot show the
        value of such a tensor, because `infer` has not computed it yet.
        """
        return any(tensor.name == name for tensor in self.op.tensors if tensor.role != "input")

    def values(self) -> str:
        """Return "", because `infer` receives no elements. `bind` overrides this method."""
        return ""

    def returns(self) -> str:
        items = [f"{t.name}={self.result(t)}" for t in self.op.written]
        return call(f"return {self.printer.own('Results')}", items)

    def layout(self, tensor: Tensor) -> list[str]:
        """Return the code of the arguments that state the memory order of a result. Return [] if
        the result is row-major in every call.
        """
        found, items = layouts(self.op, tensor), []
        if any(isinstance(each, Order) for each in found.values()):
            items.append(self.printer.cased(found, partial(self.ordered, tensor.shapes[0])))
        if any(isinstance(each, Like) for each in found.values()):
            items.append(f"like={self.printer.cased(found, _liked)}")
        measured = ((name, getattr(tensor, name)) for name in MEASURES)
        items += [f"{n}={self.printer.expr(v)}" for n, v in measured if v is not None]
        return items

    def ordered(self, shape: Shape, order: Layout) -> str:
        if not isinstance(order, Order):
            return "None"
        terms = tuple_of(map(str, order.terms))
        if order.group is None and not order.groups:
            return terms
        widths = [self.width([term]) for term in shape.terms]
        return f"{self.printer.support('memory_order')}({tuple_of(widths)}, {terms})"

    def width(self, terms: Sequence[Term], more: int = 0) -> str:
        """Return the code for the number of dims in `terms`, plus `more`."""
        length = self.printer.own("len")
        groups = [f"{length}({self.printer.group(t)})" for t in terms if isinstance(t, Group)]
        fixed = len(terms) - len(groups) + more
        text = " + ".join(groups)
        if not text:
            return str(fixed)
        return f"{text} {'-' if fixed < 0 else '+'} {abs(fixed)}" if fixed else text

    def result(self, tensor: Tensor) -> str:
        """Return the code of a result's `TensorSpec`, or of None if the call lacks the result."""
        shape = self.printer.cased(tensor.forms, lambda forms: self.printer.shape(forms[0]))
        items = [shape, self.printer.dtype(tensor.dtype), *self.layout(tensor)]
        spec = call(self.printer.own("TensorSpec"), items)
        if tensor.list:
            spec = f"[{spec} for i in {self.printer.own('range')}({tensor.list})]"
        test = None
        if tensor.optional:
            test = f"{quoted(tensor.name)} in wanted"
        elif tensor.when is not None:
            test = self.printer.expr(tensor.when, 1)
        return spec if test is None else f"{spec} if {test} else None"


def _liked(layout: Layout) -> str:
    return quoted(layout.name) if isinstance(layout, Like) else "None"
