"""Print pieces of `infer`: expressions, shapes, cases, and calls to the support functions."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from opgen.ir.op import Op
from opgen.ir.shape_inference import Count
from opgen.ir.worlds import expanded
from opgen.language.dtypes import DTYPES
from opgen.language.expr import Call, Compare, Const, Expr, Index, Name, map_children
from opgen.language.expr.python import python, support_functions
from opgen.language.shapes import Dim, Group, Shape
from opgen.spec.cases import Cases
from opgen.targets.own_names import Names
from opgen.targets.python_format import call, conditional, quoted, tuple_of

V = TypeVar("V")


class Printer:
    """Prints the code of one op, and collects the imports of the op's module.

    `used` has the support functions that the code calls. `own.used` has the other imported names.
    """

    def __init__(self, op: Op) -> None:
        self.op, self.own = op, Names(op)
        self.used: set[str] = {"CoreOp", "Descriptor", "TensorSpec"}
        self.fixed = {a.name for a in op.attrs if not a.type.endswith("[]")}
        self.wanted = {t.name for t in op.on_request}

    def support(self, name: str) -> str:
        """Return the local name of a support function, and record its import."""
        self.used.add(name)
        return self.own(name)

    def expr(self, expr: Expr, outer: int = 0) -> str:
        """Return the code of `expr`, which may read the local variables of `infer`."""
        expr = self.local(expr)
        self.used |= support_functions(expr)
        return python(expr, outer=outer, function=self.own)

    def local(self, expr: Expr) -> Expr:
        """Return `expr` in terms of the local variables of `infer`.

        A call that first checks the length of the list `v` replaces `v[0]`. For a result on
        request, `dx in wanted` replaces `present(dx)`. A size `s[i]`, which exists for each tensor
        of a list, is not replaced.
        """
        match expr:
            case Index(Name(id=name), index) if name not in self.fixed:
                if isinstance(index, Const) or self.is_attr(name):
                    named = map(Const, (self.op.name, name))
                    return Call("item", (expr.value, self.local(index), *named))
            case Call("present", (Name(id=name),)) if name in self.wanted:
                return Compare(("in",), (Const(name), Name("wanted")))
        return map_children(expr, self.local)

    def negated(self, condition: Expr) -> str:
        match condition:
            case Call("present", (operand,)):
                return f"{self.expr(operand)} is None"
            case Compare(("==",), operands):
                return self.expr(Compare(("!=",), operands), 3)
        return f"not {self.expr(condition, 10)}"

    def helper(self, function: str, *args: str, head: str = "") -> str:
        """Return the code of a call to a support function. `head` is the code before the call. The
        first argument of the call is the op's name.
        """
        return call(f"{head}{self.support(function)}", [quoted(self.op.name), *args])

    def shape(self, shape: Shape) -> str:
        """Return the code of a tuple with the sizes of `shape`."""
        terms = expanded(shape, {}).terms
        if len(terms) == 1 and isinstance(terms[0], Group):
            return self.group(terms[0])
        return tuple_of(self.term(term) for term in terms)

    def group(self, group: Group) -> str:
        return f"{group.name}[i]" if group.each else group.name

    def term(self, term: Group | Dim) -> str:
        return f"*{self.group(term)}" if isinstance(term, Group) else self.expr(term.size)

    def cased(self, cases: Cases[V], text: Callable[[V], str]) -> str:
        """Return a chain of conditional expressions with a branch for each case. `text` prints the
        value of a case.
        """
        *others, (_, last) = cases.cases
        return conditional(
            [(text(value), self.expr(test, 1)) for test, value in others], text(last)
        )

    def count(self, count: Count) -> str:
        parts = [f"{self.own('len')}({g})" for g in count.groups]
        if count.fixed or not parts:
            parts.append(str(count.fixed))
        return " + ".join(parts)

    def dtype(self, cases: Cases[str]) -> str:
        """Return the code of a tensor's dtype: a quoted name, a dtype variable, or a choice between
        these.
        """
        return self.cased(cases, lambda d: quoted(d) if d in DTYPES else d)

    def is_attr(self, name: str) -> bool:
        return any(a.name == name for a in self.op.attrs)


def section(title: str, lines: Iterable[str]) -> str:
    """Return `lines` below the comment `title`, or "" if there are no lines."""
    lines = list(lines)
    return "\n".join([f"# {title}", *lines]) if lines else ""
