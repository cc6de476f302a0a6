"""Prints the body of `infer`: one call of an op, step by step, as Python.

The order is LANGUAGE's section 10: attrs, presence, dtypes, sizes, comparison, what
follows from sizes, requirements.
"""

from __future__ import annotations

from opgen.dtypes import DTYPES
from opgen.expr import Expr, names_in, text_of
from opgen.ir import Attr, Op, Requirement, Tensor
from opgen.targets.core.printer import INDENT, Printer, section
from opgen.targets.core.sizes import Sizes
from opgen.targets.python import WIDTH, call, quoted, tuple_of


class InferBody:
    """The sections of one `infer`."""

    def __init__(self, op: Op) -> None:
        self.op = op
        self.printer = Printer(op)

    def sections(self) -> tuple[str, ...]:
        """The statements, section by section; empty ones are left out."""
        found = (
            self.attrs(),
            self.presence(),
            self.dtypes(),
            Sizes(self.printer).text(),
            self.derived(),
            self.require(),
            self.returns(),
        )
        return tuple(filter(None, found))

    def attrs(self) -> str:
        return section("Attributes.", (self.attr(a) for a in self.op.attrs))

    def attr(self, attr: Attr) -> str:
        options = []
        if attr.choices:
            options.append(f"choices={tuple_of(_literal(c) for c in attr.choices)}")
        if attr.min is not None:
            options.append(f"low={attr.min!r}")
        if attr.max is not None:
            options.append(f"high={attr.max!r}")
        if attr.optional or isinstance(attr.default, Expr):
            options.append("optional=True")
        return self.printer.helper("check_attr", quoted(attr.name), attr.name, quoted(attr.type), *options, head=f"{attr.name} = ")  # fmt: skip

    def presence(self) -> str:
        lines = []
        for tensor in self.op.inputs:
            if tensor.list and not tensor.always:
                lines.append(
                    f"{tensor.name} = {tensor.name} or None"
                )  # an empty list is none
            if tensor.when is not None:
                condition = self.printer.expr(tensor.when)
                text = quoted(text_of(tensor.when))
                lines.append(self.printer.helper("check_presence", quoted(tensor.name), tensor.name, condition, text))  # fmt: skip
        return section("Presence.", lines)

    def dtypes(self) -> str:
        lines, bound, unsure = [], {}, []
        carriers = [t for t in self.op.inputs if t.dtype.plain]
        for var in self.op.dtypes:
            always = any(t.always and t.dtype.only == var.name for t in carriers)
            if var.free and not always and not self.printer.is_attr(var.name):
                unsure.append(var)
                lines.append(f"{var.name} = None")
        for tensor in self.op.inputs:
            lines.append(self.check_dtype(tensor, bound, {v.name for v in unsure}))
        for var in unsure:
            lines += [
                f"if {var.name} is None:",
                f"    {var.name} = {quoted(var.choices[0])}",
            ]
        for var in self.op.dtypes:
            if not var.free:
                value = self.printer.cased(var.value, self.printer.expr)
                lines.append(f"{var.name} = {value}")
        return section("Dtypes.", lines)

    def check_dtype(
        self, tensor: Tensor, bound: dict[str, str], unsure: set[str]
    ) -> str:
        name = tensor.dtype.only if tensor.dtype.plain else ""
        var = self.op.dtype_var(name)
        indent = INDENT + (0 if tensor.always else 4)
        first = (
            var is not None
            and var.free
            and not self.printer.is_attr(name)
            and name not in bound
        )
        if first:
            bound[name] = tensor.name
            allowed, head, like = tuple_of(map(quoted, var.choices)), f"{name} = ", ""
        elif name in unsure:
            allowed = f"({name},) if {name} else {tuple_of(map(quoted, var.choices))}"
            head, like = f"{name} = ", f"like={quoted(bound[name])}"
        else:
            allowed, head = f"({self.printer.dtype(tensor.dtype)},)", ""
            like = f"like={quoted(bound[name])}" if name in bound else ""
        item = f"{tensor.name}[0]" if tensor.list else tensor.name
        args = [quoted(tensor.name), item, allowed, *filter(None, [like])]
        text = self.printer.helper("check_dtype", *args, head=head, indent=indent)
        if tensor.list:
            text = self.printer.helper("check_list", quoted(tensor.name), tensor.name, indent=indent) + "\n" + " " * indent + text  # fmt: skip
        return (
            text
            if tensor.always
            else f"if {tensor.name} is not None:\n{' ' * indent}{text}"
        )

    def derived(self) -> str:
        lines = []
        for attr in self.op.attrs:
            if isinstance(attr.default, Expr):
                lines.append(
                    f"if {attr.name} is None:\n        {attr.name} = {self.printer.expr(attr.default)}"
                )
        lines += [
            f"{name} = {self.printer.expr(value)}" for name, value in self.op.dims
        ]
        return section("What follows from the sizes.", lines)

    def require(self) -> str:
        return section("Requirements.", map(self.requirement, self.op.require))

    def requirement(self, item: Requirement) -> str:
        text = item.message or text_of(item.condition)
        names = [n for n in names_in(item.condition) if n not in DTYPES]
        values = [
            f"{n}={n}" for n in names if n not in {t.name for t in self.op.tensors}
        ]
        return self.printer.helper(
            "require", self.printer.expr(item.condition), quoted(text), *values
        )

    def returns(self) -> str:
        items = [f"{t.name}={self.result(t, len(t.name) + 1)}" for t in self.op.written]
        return call("return Results(", items, ")", INDENT)

    def result(self, tensor: Tensor, used: int) -> str:
        """The spec of one result; `used` characters of its line are taken."""
        shape = self.printer.cased(
            tensor.forms, lambda forms: self.printer.shape(forms[0])
        )
        head, items, tail = (
            "TensorSpec(",
            [shape, self.printer.dtype(tensor.dtype)],
            ")",
        )
        if tensor.list:
            head, tail = "[TensorSpec(", f") for i in range({tensor.list})]"
        test = None
        if tensor.optional:
            test = f"{quoted(tensor.name)} in wanted"
        elif tensor.when is not None:
            test = self.printer.expr(tensor.when, 1)
        line = head + ", ".join(items) + tail
        room = WIDTH - INDENT - 4 - used - 1
        if test is None:
            return (
                line
                if len(line) <= room
                else call(head, items, tail, INDENT + 4, fits=False)
            )
        if len(f"{line} if {test} else None") <= room:
            return f"{line} if {test} else None"
        pad = "\n" + " " * (INDENT + 8)
        return f"({pad}{line}{pad}if {test}{pad}else None\n{' ' * (INDENT + 4)})"


def _literal(value: object) -> str:
    return quoted(value) if isinstance(value, str) else repr(value)
