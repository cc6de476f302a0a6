"""Print `cost.flops` of a spec as a Python expression over the shapes of a call's tensors."""

from __future__ import annotations

from opgen.ir.shape_inference import Count, Solve, Step, Take
from opgen.language.expr import Binary, Call, Const, Expr, Name, Unary, calls_in, map_children
from opgen.language.expr.python import python
from opgen.targets.own_names import Names
from opgen.targets.torch.postfix import Unprintable

# Functions of the spec language that cannot be computed from shapes alone.
UNKNOWN = ("accum", "bits", "promote", "real", "stride", "sum")
PRODUCT = 6  # the precedence of `//`


def flops(names: Names) -> str | None:
    """Return the code of `cost.flops`, in which the name of an input stands for its shape.

    Return None if the spec has no `cost.flops`, or if shapes alone do not determine the cost.
    """
    op = names.op
    expr = dict(op.cost).get("flops")
    unknown = any(tensor.list for tensor in op.inputs)
    if expr is None or unknown or any(c.func in UNKNOWN for c in calls_in(expr)):
        return None
    try:
        return _Printer(names).text(expr)
    except Unprintable:
        return None


class _Printer:
    def __init__(self, names: Names) -> None:
        self.own, op = names, names.op
        self.dims = dict(op.dims)
        self.known = {each.name for each in op.arguments}
        self.steps = [s for s in op.plan.steps if isinstance(s, Take | Solve)]

    def text(self, expr: Expr, outer: int = 0) -> str:
        return python(_of_shapes(expr), self.name, outer, self.own)

    def name(self, name: str) -> str:
        if name in self.known:
            return name
        if name in self.dims:
            return f"({self.text(self.dims[name])})"
        steps = [step for step in self.steps if step.name == name]
        if not steps:  # the name is a dtype
            raise Unprintable(name)
        *guarded, last = steps
        text = self.step(last)
        for step in reversed(guarded):
            if self.step(step) != text:
                text = f"({self.step(step)} if {self.test(step)} else {text})"
        return text

    def test(self, step: Step) -> str:
        """Return the condition under which `step` of shape inference applies. The call must have
        the step's tensor, with the shape that the step expects.
        """
        guard = step.guard
        if guard.form is not None or guard.known:
            raise Unprintable(step)
        tests = [f"{step.tensor} is not None"] if guard.present else []
        if guard.case is not None:
            tests.append(self.text(guard.case, 3))
        tests += [f"not {self.text(other, 10)}" for other in guard.others]
        return " and ".join(tests) or "True"

    def step(self, step: Take | Solve) -> str:
        if isinstance(step, Take):
            start, stop = self.count(step.before), self.count(step.after)
            if step.after == Count(0):
                return f"{step.tensor}[{start} :]"
            return f"{step.tensor}[{start} : {self.own('len')}({step.tensor}) - ({stop})]"
        last = f"-{step.after.fixed + 1}"
        size = f"{step.tensor}[{last if step.from_end else self.count(step.before)}]"
        if step.offset != Const(0):
            size = f"({size} - {self.text(step.offset, PRODUCT)})"
        if step.factor != Const(1):
            size = f"({size} // {self.text(step.factor, PRODUCT + 1)})"
        return size

    def count(self, count: Count) -> str:
        parts = [f"{self.own('len')}({self.name(group)})" for group in count.groups]
        return " + ".join([*parts, str(count.fixed)] if count.fixed else parts) or "0"


def _of_shapes(expr: Expr) -> Expr:
    """Return `expr` with each call such as `numel(x)` computed from the shape of `x`."""
    match expr:
        case Call("numel", (Name() as tensor,)):
            return Call("prod", (tensor,))
        case Call("rank", (Name() as tensor,)):
            return Call("len", (tensor,))
        case Call("ceildiv", (a, b)):
            return _ceildiv(_of_shapes(a), _of_shapes(b))
        case Call("roundup", (a, b)):
            b = _of_shapes(b)
            return Binary("*", _ceildiv(_of_shapes(a), b), b)
    return map_children(expr, _of_shapes)


def _ceildiv(a: Expr, b: Expr) -> Expr:
    return Unary("-", Binary("//", Unary("-", a), b))
