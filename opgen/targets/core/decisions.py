"""Print the checks of presence and dtypes.

The presence of an input may depend on a dtype, and a dtype may depend on the presence of an input.
So each check is printed after the checks whose results it reads. Lint has already rejected cycles.
"""

from __future__ import annotations

from collections.abc import Iterator

from opgen.ir.nodes import DTypeVar, Tensor
from opgen.ir.origins import dtype_origins
from opgen.language.expr import Expr, names_in, presence_in, text_of
from opgen.source.frozen import dataclass
from opgen.targets.core.printer import Printer, section
from opgen.targets.public_api import derivation
from opgen.targets.python_format import block, quoted, tuple_of


@dataclass(frozen=True, slots=True)
class Decision:
    """Statements that are printed together, the names that they read (`needs`), and the names that
    they determine (`gives`).
    """

    lines: tuple[str, ...]
    needs: frozenset[str]
    gives: frozenset[str] = frozenset()


class Decisions:
    """Prints the section of `infer` that checks presence and dtypes."""

    def __init__(self, printer: Printer) -> None:
        self.printer, self.op = printer, printer.op
        free = (v for v in self.op.dtypes if v.free and not printer.is_attr(v.name))
        self.free = {variable.name: variable for variable in free}
        self.carriers = {name: self.carriers_of(name) for name in self.free}
        self.unsure = {n for n, found in self.carriers.items() if not any(t.always for t in found)}

    def text(self) -> str:
        lines = [f"{var.name} = None" for var in self.op.dtypes if var.name in self.unsure]
        lists = [t for t in self.op.inputs if t.list and not t.always]
        lines += [f"{t.name} = {self.printer.support('given')}({t.name})" for t in lists]
        waiting, known = list(self.decisions()), set[str]()
        every = set().union(*(d.gives for d in waiting)) if waiting else set()
        while waiting:
            ready = next(d for d in waiting if not (d.needs & every) - known)
            waiting.remove(ready)
            known |= ready.gives
            lines += ready.lines
        title = "Presence and dtypes." if any(t.when for t in self.op.inputs) else "Dtypes."
        return section(title, lines)

    def carriers_of(self, name: str) -> list[Tensor]:
        return [t for t in self.op.inputs if t.dtype.plain and t.dtype.only == name]

    def decisions(self) -> Iterator[Decision]:
        """Yield the checks of inputs, then those of dtype variables. Both are in file order.

        A dtype variable is known after the check of an input that has this dtype and is always
        present.
        """
        bound: dict[str, str] = {}
        for tensor in self.op.inputs:
            if tensor.when is not None:
                yield self.presence(tensor, tensor.when)
            yield self.check(tensor, bound)
        for var in self.op.dtypes:
            if var.name in self.unsure:
                yield self.default(var)
            elif not var.free:
                yield self.derived(var)

    def presence(self, tensor: Tensor, when: Expr) -> Decision:
        condition = self.printer.expr(when)
        args = [quoted(tensor.name), tensor.name, condition, quoted(text_of(when))]
        line = self.printer.helper("check_presence", *args)
        return Decision((line,), _needs(when), frozenset({f"presence of {tensor.name}"}))

    def check(self, tensor: Tensor, bound: dict[str, str]) -> Decision:
        name = tensor.dtype.only if tensor.dtype.plain else ""
        needs: set[str] = {f"presence of {tensor.name}"}
        gives = {f"dtype of {tensor.name}"}
        head, like = "", f"like={quoted(bound[name])}" if name in bound else ""
        if derived := derivation(self.op, name):
            like = f"derived={quoted(derived)}"
        elif not like and name not in self.free and (of := dtype_origins(self.op, tensor)):
            like = f"derived={quoted(f'which follows from {of}')}"
        choices = tuple_of(map(quoted, self.free[name].choices)) if name in self.free else ""
        if name in self.free and name not in bound:
            bound[name] = tensor.name
            allowed, head = choices, f"{name} = "
        elif name in self.unsure:
            allowed, head = f"({name},) if {name} else {choices}", f"{name} = "
        else:
            allowed = f"({self.printer.dtype(tensor.dtype)},)"
            for condition, value in tensor.dtype.cases:
                needs |= {value} | (_needs(condition) if condition is not None else set())
        if name in self.free and name not in self.unsure and tensor.always:
            gives.add(name)
        needs -= gives
        item = f"{tensor.name}[0]" if tensor.list else tensor.name
        args = [quoted(tensor.name), item, allowed, *filter(None, [like])]
        lines = [self.printer.helper("check_dtype", *args, head=head)]
        if tensor.list:
            whole = [quoted(tensor.name), tensor.name]
            lines.insert(0, self.printer.helper("check_list", *whole))
        if not tensor.always:
            lines = [block(f"if {tensor.name} is not None:", lines)]
        return Decision(tuple(lines), frozenset(needs), frozenset(gives))

    def default(self, var: DTypeVar) -> Decision:
        """Return the statement that sets a dtype variable to its first choice if no tensor with
        this dtype is present.
        """
        first = f"{var.name} = {quoted(var.choices[0])}"
        lines = (block(f"if {var.name} is None:", [first]),)
        needs = frozenset(f"dtype of {t.name}" for t in self.carriers[var.name])
        return Decision(lines, needs, frozenset({var.name}))

    def derived(self, var: DTypeVar) -> Decision:
        line = f"{var.name} = {self.printer.cased(var.value, self.printer.expr)}"
        needs: set[str] = set()
        for condition, value in var.value.cases:
            needs |= _needs(value) | (_needs(condition) if condition is not None else set())
        return Decision((line,), frozenset(needs), frozenset({var.name}))


def _needs(expr: Expr) -> frozenset[str]:
    return frozenset(names_in(expr)) | {f"presence of {name}" for name in presence_in(expr)}
