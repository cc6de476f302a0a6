"""Print expressions as postfix programs, which the C++ autograd library runs (`program.h`)."""

from __future__ import annotations

from collections.abc import Callable

from opgen.ir.op import Op
from opgen.ir.shape_inference import Count, Length, Plan, Solve, Step, Take
from opgen.language.dtypes import DTYPES
from opgen.language.expr import (
    Binary,
    Bool,
    Call,
    Compare,
    Const,
    Expr,
    IfElse,
    In,
    Index,
    Name,
    Unary,
    map_children,
    names_in,
    substitute,
)
from opgen.language.expr.evaluate import evaluate
from opgen.language.shapes import Dim, Group, Term

Words = list[str]
DTYPE_FUNCTIONS = ("bits", "accum", "promote", "real")


class Unprintable(Exception):
    """Error for an expression that the autograd library cannot compute."""


def postfix(expr: Expr, name: Callable[[str], Words]) -> Words:
    """Return `expr` as a list of words in postfix notation. `name` returns the words for a name."""

    def sub(e: Expr) -> Words:
        return postfix(e, name)

    match expr:
        case Const(value=value):
            return [constant(value)]
        case Name(id=id):
            return name(id)
        case Unary("-", operand):
            return [*sub(operand), "neg"]
        case Unary(_, operand):
            return [*sub(operand), "not"]
        case Binary(op, left, right):
            return [*sub(left), *sub(right), op]
        case Bool(op, operands):
            return _fold([sub(operand) for operand in operands], op)
        case Compare(ops, operands):
            pairs = zip(operands, ops, operands[1:])
            return _fold([_comparison(a, op, b, sub) for a, op, b in pairs], "and")
        case In(op, value, items):
            words = _fold([[*sub(value), *sub(item), "=="] for item in items], "or")
            return words if op == "in" else [*words, "not"]
        case IfElse(test, body, orelse):
            return [*sub(test), *sub(body), *sub(orelse), "where"]
        case Index(value, index):
            return [*sub(value), *sub(index), "item"]
        case Call("ceildiv", (a, b)):
            return [*sub(a), "neg", *sub(b), "//", "neg"]
        case Call("roundup", (a, b)):
            return [*sub(Call("ceildiv", (a, b))), *sub(b), "*"]
        case Call("numel", (tensor,)):
            return [*sub(tensor), "sizes", "prod"]
        case Call("min" | "max" as func, args):
            return _fold([sub(arg) for arg in args], func)
        case Call("stride", (tensor, dim)):
            return [*sub(tensor), "strides", *sub(dim), "item"]
        case Call("bits" | "accum" | "promote" | "real" | "offsets" | "ascending" | "distinct"):
            raise Unprintable(expr)
        case Call(func, (operand,)):
            return [*sub(operand), func]
    raise Unprintable(expr)


def by_dtype(op: Op, expr: Expr) -> Expr:
    """Return `expr` with each function of a dtype replaced by its value for every possible dtype.

    For example, `bits(T)` becomes `16 if T == bf16 else 32`.
    """
    if not isinstance(expr, Call) or expr.func not in DTYPE_FUNCTIONS:
        return map_children(expr, lambda e: by_dtype(op, e))
    free = [name for name in names_in(expr) if name not in DTYPES]
    if not free:
        value = evaluate(expr, {})
        return Name(value) if value in DTYPES else Const(value)
    name, var = free[0], op.dtype_var(free[0])
    if var is not None and not var.free:
        *rest, (_, last) = var.value.cases
        found = by_dtype(op, substitute(expr, {name: last}))
        for condition, value in reversed(rest):
            found = IfElse(condition, by_dtype(op, substitute(expr, {name: value})), found)
        return found
    of = var or next(attr for attr in op.attrs if attr.name == name)
    choices = of.choices or tuple(DTYPES)
    *others, found = (by_dtype(op, substitute(expr, {name: Name(c)})) for c in choices)
    for choice, value in zip(reversed(choices[:-1]), reversed(others)):
        test = Compare(("==",), (Name(name), Name(choice)))
        found = found if value == found else IfElse(test, value, found)
    return found


def constant(value: object) -> str:
    """Return a constant as a single word of a postfix program."""
    if isinstance(value, str):
        return f"'{value}'"
    if isinstance(value, tuple):
        return "[" + ",".join(map(repr, value)) + "]"
    return repr(value)


def _fold(parts: list[Words], op: str) -> Words:
    words = parts[0]
    for part in parts[1:]:
        words = [*words, *part, op]
    return words


def _comparison(left: Expr, op: str, right: Expr, sub: Callable[[Expr], Words]) -> Words:
    if right == Const(None):
        return [*sub(left), "present", *(["not"] if op == "==" else [])]
    return [*sub(left), *sub(right), op]


class Sizes:
    """Prints the postfix programs that compute the dims and groups of a call from its arguments."""

    def __init__(self, op: Op) -> None:
        self.op = op
        self.plan: Plan = op.plan
        self.attrs = {attr.name for attr in op.attrs}
        self.dims = dict(op.dims)

    def name(self, name: str) -> Words:
        """Return the words that compute the value of an input, attr, dim or group."""
        if name in self.attrs or any(t.name == name for t in self.op.inputs):
            return [f"input:{name}"]
        if name in self.dims:
            return postfix(self.dims[name], self.name)
        return self.bound(name)

    def bound(self, name: str) -> Words:
        """Return the words that read a dim or group from the first tensor whose shape has it."""
        steps = [
            step
            for step in self.plan.steps
            if isinstance(step, Take | Solve | Length) and step.name == name
        ]
        if not steps:
            raise Unprintable(name)
        *guarded, last = steps
        words = self.step(last)
        for step in reversed(guarded):
            words = [*self.test(step), *self.step(step), *words, "where"]
        return words

    def test(self, step: Step) -> Words:
        """Return the words that test whether `step` of shape inference applies. The call must have
        the step's tensor, with the shape that the step expects.
        """
        guard = step.guard
        if guard.form is not None or guard.known:
            raise Unprintable(step)
        tests = [[f"input:{step.tensor}", "present"]] if guard.present else []
        if guard.case is not None:
            tests.append(postfix(guard.case, self.name))
        tests += [[*postfix(other, self.name), "not"] for other in guard.others]
        return _fold(tests, "and") if tests else ["True"]

    def step(self, step: Step) -> Words:
        tensor = f"input:{step.tensor}"
        match step:
            case Length():
                return [tensor, "len"]
            case Take(each=False, before=before, after=after):
                last = [tensor, "rank", *self.count(after), "-"]
                return [tensor, "sizes", *self.count(before), *last, "slice"]
            case Solve(each=False):
                place = [str(-1 - step.after.fixed)] if step.from_end else self.count(step.before)
                words = [tensor, "sizes", *place, "item"]
                if step.offset != Const(0):
                    words += [*postfix(step.offset, self.name), "-"]
                if step.factor != Const(1):
                    words += [*postfix(step.factor, self.name), "//"]
                return words
        raise Unprintable(step)

    def count(self, count: Count) -> Words:
        parts = [self.rank(group) for group in count.groups]
        if count.fixed or not parts:
            parts.append([str(count.fixed)])
        return _fold(parts, "+")

    def rank(self, group: str) -> Words:
        """Return the words that compute the number of dims in a group."""
        if group in self.attrs:
            return [f"input:{group}", "len"]
        for step in self.plan.steps:
            if isinstance(step, Take) and step.name == group and not step.guard.present:
                counts = [self.count(step.before), self.count(step.after)]
                others = [count for count in counts if count != ["0"]]
                rank = [f"input:{step.tensor}", "rank"]
                return [*rank, *_fold(others, "+"), "-"] if others else rank
        return [*self.bound(group), "len"]

    def extent(self, term: Term) -> Words:
        """Return the words that compute the number of dims that a term of a shape stands for."""
        return self.rank(term.name) if isinstance(term, Group) else ["1"]


def key_of(term: Term) -> str:
    """Return the key of a term. If two terms have the same key, a formula aligns their dims."""
    return term.name if isinstance(term, Group) else str(Dim(term.size))
