"""Print the checks of elements, for inputs that have the key `values` in the spec."""

from __future__ import annotations

from opgen.ir.nodes import Tensor
from opgen.ir.op import Op
from opgen.language.expr import Call, Expr, Name, is_offsets, names_in, text_of, walk
from opgen.language.expr.python import elementwise, support_functions
from opgen.targets.core.printer import Printer
from opgen.targets.python_format import block, quoted

# Functions that read a tensor's shape, strides or presence, but not its elements.
SHAPES = ("len", "numel", "present", "rank", "stride")


def conditioned(op: Op) -> tuple[Tensor, ...]:
    """Return the inputs whose elements Python checks. The conditions of such an input read no
    elements of other tensors.
    """
    return tuple(
        tensor
        for tensor in op.inputs
        if tensor.values and all(_read(op, e) <= {tensor.name} for e in tensor.values.values())
    )


def _read(op: Op, expr: Expr) -> set[str]:
    """Return the names of the tensors whose elements `expr` reads."""
    if isinstance(expr, Call) and expr.func in SHAPES:
        return set()
    if isinstance(expr, Name):
        return {expr.id} & {tensor.name for tensor in op.inputs}
    return set().union(*(_read(op, e) for e in walk(expr) if e is not expr))


class Values:
    """Prints the loop that checks the arrays of one input. The input is an array or a list of
    arrays.
    """

    def __init__(self, printer: Printer, tensor: Tensor) -> None:
        self.printer, self.tensor = printer, tensor
        self.each = printer.own("each")

    def text(self) -> str:
        own = self.printer.own
        given = f'{own("arrays")}.get("{self.tensor.name}", ())'
        head = f"for {self.each} in {given}:"
        if self.tensor.list:
            head = f"for i, {self.each} in {own('enumerate')}({given}):"
        return block(head, self.cases())

    def cases(self) -> list[str]:
        """Return the check of one array. If the condition has cases, return an `if` statement with
        a check in each branch.
        """
        cases = self.tensor.values.cases
        if self.tensor.values.plain:
            return [self.check(cases[0][1])]
        lines = []
        for number, (condition, value) in enumerate(cases):
            test = "else:"
            if condition is not None:
                test = f"{'elif' if number else 'if'} {self.printer.expr(condition)}:"
            lines.append(block(test, [self.check(value)]))
        return lines

    def check(self, condition: Expr) -> str:
        name, text = quoted(self.tensor.name), text_of(condition)
        if self.tensor.list:
            name = f'f"{self.tensor.name}[{{i}}]"'
        if is_offsets(condition):
            end = f"to {text_of(condition.args[0])}" if condition.args else "on"
            text = f"offsets from 0 {end}, never falling"
        values = [f"{n}={n}" for n in self.printer.op.values_in(condition)]
        args = [name, self.each, self.holds(condition), quoted(text), *values]
        return self.printer.helper("check_values", *args)

    def holds(self, condition: Expr) -> str:
        """Return an expression over the array `each` that is true for each valid element."""
        if is_offsets(condition):
            offsets = self.printer.support("are_offsets")
            last = [self.printer.expr(each) for each in condition.args]
            return f"{offsets}({', '.join([self.each, *last])})"
        self.printer.used |= support_functions(condition)
        own = self.tensor.name
        return elementwise(
            condition,
            self.printer.own.written("np"),
            lambda name: self.each if name == own else name,
            scalar=lambda expr: own not in names_in(expr),
            function=self.printer.own,
        )
