"""What a backward reads of its forward, and what each thing is called there."""

from __future__ import annotations

from opgen.expr import Expr
from opgen.expr.python import python
from opgen.ir import Argument, Op
from opgen.shapes import Dim, Group


class Saved:
    """Names what a backward reads; what was named is what the forward keeps, no more.

    Tensors keep their names, cotangents are `d` + output; a local name that is one of the
    op's gets an underscore. `reads_results`: whether outputs and residuals may be read.
    """

    def __init__(self, op: Op, reads_results: bool = True) -> None:
        self.op = op
        self.values: set[str] = set()
        self.types: set[str] = set()
        self.cotangents: set[str] = set()
        tensors = (*op.inputs, *op.written) if reads_results else op.inputs
        self.taken = {each.name for each in (*tensors, *op.attrs)}
        self.dims = dict(op.dims)

    def local(self, name: str) -> str:
        """A local name that is none of the op's."""
        while name in self.taken:
            name += "_"
        return name

    def value(self, tensor: str) -> str:
        """An input, output or residual."""
        self.values.add(tensor)
        return tensor

    def type(self, tensor: str) -> str:
        """The type of an input: its value will do, if that is kept too."""
        self.types.add(tensor)
        return tensor

    def cotangent(self, output: str) -> str:
        self.cotangents.add(output)
        return self.local(f"d{output}")

    def kept(self) -> list[str]:
        """The tensors of which something is kept, in the order of the op's arguments."""
        every = (*self.op.inputs, *self.op.written)
        return [t.name for t in every if t.name in self.values | self.types]

    def name(self, name: str) -> str:
        """A name in an expression over what the forward knows."""
        op = self.op
        if any(name == f"d{t.name}" for t in op.outputs) and name not in self.taken:
            return self.cotangent(name[1:])
        if any(name == t.name for t in (*op.inputs, *op.written)):
            return self.value(name)
        if any(name == a.name for a in op.attrs):
            return name
        if name in self.dims:
            return f"({self.expression(self.dims[name])})"
        return self.size(name)

    def expression(self, expr: Expr) -> str:
        return python(expr, self.name)

    def size(self, name: str) -> str:
        """A dim, or a group as a tuple: from the first tensor that has it by itself."""
        for tensor in (*self.op.inputs, *self.op.written):
            if not (tensor.forms.plain and len(tensor.forms.only) == 1):
                continue
            terms = tensor.shape.terms
            for position, term in enumerate(terms):
                if term.name != name:
                    continue
                before = any(isinstance(t, Group) for t in terms[:position])
                after = any(isinstance(t, Group) for t in terms[position + 1 :])
                if not (before and after):
                    shape = f"{self.type(tensor.name)}.shape"
                    return shape + _item(term, position, len(terms), before, after)
        raise LookupError(f"{self.op.name}: no tensor has a dim `{name}` by itself")

    def argument(self, argument: Argument) -> str | None:
        """The text of one argument of a backward call; None: it is left out."""
        match argument.source:
            case "absent":
                return None
            case "cotangent":
                return self.cotangent(argument.of)
            case "input" | "output" | "residual":
                return self.value(argument.of)
            case "dtype":
                return f"_runtime.dtype_name({self.type(self.carrier(argument.of))})"
            case "expr":
                return self.expression(argument.expr)
        return self.name(argument.of)

    def carrier(self, dtype: str) -> str:
        """The first tensor whose type is the dtype variable."""
        every = (*self.op.inputs, *self.op.written)
        return next(t.name for t in every if dtype in t.dtype.values())


def _item(
    term: Dim | Group, position: int, count: int, before: bool, after: bool
) -> str:
    """The index of a term into a shape of `count` terms, one of which may be a group."""
    if isinstance(term, Dim):
        return f"[{position - count if before else position}]"
    start = "" if position == 0 else str(position)
    stop = "" if position == count - 1 else str(position + 1 - count)
    return f"[{start}:{stop}]"
