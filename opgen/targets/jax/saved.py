"""Collect the forward values that a backward reads, and choose their variable names."""

from __future__ import annotations

from opgen.ir.nodes import Argument
from opgen.ir.op import Op
from opgen.language.expr import Expr, names_in, substitute
from opgen.language.expr.python import SUPPORT, python
from opgen.language.shapes import Dim, Group
from opgen.targets.own_names import Names
from opgen.targets.python_format import call, quoted


class Saved:
    """The forward values that the statements of a backward read, with their names.

    The forward keeps exactly these values. Tensors keep their names, and the cotangent of `y` is
    `dy`. A local name gets an underscore if the op already uses the name. The backward may read
    outputs and residuals only if `reads_results` is set. `symbolic` means that cotangents may be
    symbolic zeros. `statements` convert symbolic zeros to arrays, and compute sizes that need
    several shapes.
    """

    def __init__(self, op: Op, reads_results: bool = True, symbolic: bool = False) -> None:
        self.op = op
        self.own = Names(op)
        self.symbolic = symbolic
        self.asks = False
        self.results = op.written if reads_results else ()
        self.values: set[str] = set()
        self.types: set[str] = set()
        self.cotangents: set[str] = set()
        self.taken = {each.name for each in (*op.arguments, *self.results)}
        self.dims = dict(op.dims)
        self.statements: list[str] = []

    def local(self, name: str) -> str:
        """Return a local variable name that the op does not use, based on `name`."""
        while name in self.taken:
            name += "_"
        return name

    def value(self, tensor: str) -> str:
        """Return the name of an input, output or residual. Also record that the forward must keep
        its value.
        """
        self.values.add(tensor)
        return tensor

    def type(self, tensor: str) -> str:
        """Return the name of a tensor. Also record that the forward must keep its dtype and shape.
        The forward keeps the value instead if the backward reads the value.
        """
        self.types.add(tensor)
        return tensor

    def cotangent(self, output: str) -> str:
        """Return the name of an output's cotangent. Zeros replace a missing cotangent."""
        self.cotangents.add(output)
        name = self.local(f"d{output}")
        on_request = self.op.tensor(output).optional
        if self.symbolic or on_request:
            items = [name, *([self.type(output)] if on_request else [])]
            self.state(call(f"{name} = _runtime.or_zeros", items))
        return name

    def needed(self) -> str:
        """Return the name of the variable that lists the needed gradients. The variable exists only
        if `symbolic` is set.
        """
        self.asks = True
        return self.local("needed")

    def attr(self, name: str) -> str:
        """Return the name of an attr's value. If the default depends on sizes, add a statement that
        computes the default.
        """
        (default,) = (a.default for a in self.op.attrs if a.name == name)
        if isinstance(default, Expr):
            value = python(default, self.name, 1, self.function)
            self.state(f"{name} = {value} if {name} is None else {name}")
        return name

    def state(self, statement: str) -> None:
        if statement not in self.statements:
            self.statements.append(statement)

    def maybe_cotangent(self, output: str) -> str:
        """Return the code for an output's cotangent. A missing cotangent is None."""
        self.cotangents.add(output)
        name = self.local(f"d{output}")
        return f"_runtime.or_none({name})" if self.symbolic else name

    def kept(self) -> list[str]:
        """Return the tensors whose value or type the forward keeps: first inputs, then results."""
        every = (*self.op.inputs, *self.op.written)
        return [t.name for t in every if t.name in self.values | self.types]

    def name(self, name: str) -> str:
        """Return the code for a name in an expression over the forward's values."""
        op = self.op
        if any(name == f"d{t.name}" for t in op.outputs) and name not in self.taken:
            return self.cotangent(name[1:])
        if any(name == t.name for t in (*op.inputs, *op.written)):
            return self.value(name)
        if any(name == a.name for a in op.attrs):
            return self.attr(name)
        if name in self.dims:
            return f"({self.expression(self.dims[name])})"
        if self.op.dtype_var(name) is not None:
            return self.fact(name)
        return self.size(name)

    def expression(self, expr: Expr) -> str:
        return python(expr, self.name, function=self.function)

    def function(self, name: str) -> str:
        """Return the code for a function name: a function of the runtime, or a Python builtin."""
        return f"_runtime.{name}" if name in SUPPORT else self.own(name)

    def size(self, name: str) -> str:
        """Return the code for the size of a dim, or for the sizes of a group as a tuple. The sizes
        come from the first tensor whose shape has the dim or group outside of expressions.
        """
        plain = [
            t
            for t in (*self.op.inputs, *self.results)
            if t.forms.plain and len(t.forms.only) == 1 and not t.list
        ]
        for tensor in filter(lambda t: t.always, plain):
            terms = tensor.shape.terms
            groups = [k for k, term in enumerate(terms) if isinstance(term, Group)]
            for position, term in enumerate(terms):
                item = _item(term, position, groups, len(terms))
                if term.name == name and item is not None:
                    return f"{self.type(tensor.name)}.shape{item}"
        variable = self.local(name)
        items = ["_KERNEL", quoted(name), *(self.type(t.name) for t in self.op.inputs)]
        tests = [test for t in self.op.inputs for test in t.forms.conditions]
        read = {each for test in tests for each in names_in(substitute(test, self.op.asking))}
        items += [f"{attr.name}={attr.name}" for attr in self.op.attrs if attr.name in read]
        self.state(call(f"{variable} = _runtime.size_of", items))
        return variable

    def fact(self, name: str) -> str:
        """Return the code for a name in a condition: an attr, a tensor's type, or a dtype name."""
        if any(name == attr.name for attr in self.op.attrs):
            return name
        if any(name == tensor.name for tensor in self.op.inputs):
            return self.type(name)
        if name in self.op.asking:
            return f"({python(self.op.asking[name], self.fact, function=self.own)})"
        return f"_runtime.dtype_name({self.type(self.carrier(name))})"

    def argument(self, argument: Argument, optional: bool = False) -> str | None:
        """Return the code of one argument of a backward call, or None if the argument is omitted.

        A missing cotangent is None for an `optional` argument, and zeros otherwise.
        """
        if argument.expr is not None:
            return self.expression(argument.expr)
        match argument.source:
            case "absent":
                return None
            case "cotangent":
                maybe = self.maybe_cotangent if optional else self.cotangent
                return maybe(argument.of)
            case "input" | "output" | "residual":
                return self.value(argument.of)
            case "dtype":
                return self.fact(argument.of)
        return self.name(argument.of)

    def carrier(self, dtype: str) -> str:
        """Return the first tensor that may have the dtype variable `dtype` as its dtype."""
        every = (*self.op.inputs, *self.op.written)
        return next(t.name for t in every if dtype in t.dtype.values())


def _item(term: Dim | Group, position: int, groups: list[int], count: int) -> str | None:
    """Return the subscript that selects a term from a shape with `count` terms. Return None if
    groups make the index of the term unknown.
    """
    before = [k for k in groups if k < position]
    if isinstance(term, Dim):
        if before and len(groups) > len(before):
            return None
        return f"[{position - count if before else position}]"
    if len(groups) > 1:
        return None
    start = "" if position == 0 else str(position)
    stop = "" if position == count - 1 else str(position + 1 - count)
    return f"[{start}:{stop}]" if start or stop else ""
