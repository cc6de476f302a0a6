"""Prints the body of `infer`: one call of an op, step by step, as Python.

The order is LANGUAGE's section 10: attrs, presence, dtypes, sizes, comparison, what
follows from sizes, requirements. Sizes come from the op's binding plan.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable

from opgen.binding import (
    Choose,
    Count,
    Guard,
    Length,
    Rank,
    Solve,
    Step,
    Take,
    expanded,
    plan,
)
from opgen.dtypes import DTYPES
from opgen.expr import (
    Call,
    Compare,
    Const,
    Expr,
    Name,
    calls_in,
    map_children,
    names_in,
    text_of,
)
from opgen.expr.python import python, support_functions
from opgen.ir import Attr, Cases, Op, Requirement, Tensor
from opgen.shapes import Dim, Group, Shape
from opgen.targets.python import WIDTH, bracketed, call, quoted, tuple_of

INDENT = 4


class InferBody:
    """Collects the statements of one `infer` and the support functions they use."""

    def __init__(self, op: Op) -> None:
        self.op = op
        self.plan = plan(op)
        self.used: set[str] = {"CoreOp", "Descriptor", "TensorSpec"}
        self.wanted = {t.name for t in op.written if t.optional}

    # -- printing -----------------------------------------------------------------

    def expr(self, expr: Expr, outer: int = 0) -> str:
        """`expr` over the local variables of `infer`."""
        self.used |= support_functions(expr)
        return python(_asked(expr, self.wanted), outer=outer)

    def helper(
        self, function: str, *args: str, head: str = "", indent: int = INDENT
    ) -> str:
        """A call of a support function, with the op's name first."""
        self.used.add(function)
        return call(f"{head}{function}(", [quoted(self.op.name), *args], ")", indent)

    def shape(self, shape: Shape) -> str:
        """The sizes of `shape` as a tuple."""
        terms = expanded(shape, {}).terms
        if len(terms) == 1 and isinstance(terms[0], Group):
            return self.group(terms[0])
        return tuple_of(self.term(term) for term in terms)

    def group(self, group: Group) -> str:
        return f"{group.name}[i]" if group.each else group.name

    def term(self, term: Group | Dim) -> str:
        return (
            f"*{self.group(term)}" if isinstance(term, Group) else self.expr(term.size)
        )

    def cased(self, cases: Cases, text) -> str:
        """A value with cases, as a chain of conditional expressions."""
        *rest, (condition, value) = cases.cases
        result = text(value)
        for test, earlier in reversed(rest):
            result = f"{text(earlier)} if {self.expr(test, 1)} else {result}"
        return result

    def count(self, count: Count) -> str:
        parts = [f"len({g})" for g in count.groups]
        if count.fixed or not parts:
            parts.append(str(count.fixed))
        return " + ".join(parts)

    def dtype(self, cases: Cases[str]) -> str:
        """The dtype of a tensor as an expression of variables and names."""
        return self.cased(cases, lambda d: quoted(d) if d in DTYPES else d)

    # -- attrs ---------------------------------------------------------------------

    def attrs(self) -> str:
        return self.section("Attributes.", (self.attr(a) for a in self.op.attrs))

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
        return self.helper("check_attr", quoted(attr.name), attr.name, quoted(attr.type), *options, head=f"{attr.name} = ")  # fmt: skip

    # -- presence and dtypes ---------------------------------------------------------

    def presence(self) -> str:
        lines = []
        for tensor in self.op.inputs:
            if tensor.list and not tensor.always:
                lines.append(
                    f"{tensor.name} = {tensor.name} or None"
                )  # an empty list is none
            if tensor.when is not None:
                condition = self.expr(tensor.when)
                text = quoted(text_of(tensor.when))
                lines.append(self.helper("check_presence", quoted(tensor.name), tensor.name, condition, text))  # fmt: skip
        return self.section("Presence.", lines)

    def dtypes(self) -> str:
        lines, bound, unsure = [], {}, []
        carriers = [t for t in self.op.inputs if t.dtype.plain]
        for var in self.op.dtypes:
            always = any(t.always and t.dtype.only == var.name for t in carriers)
            if var.free and not always and not self.is_attr(var.name):
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
                value = self.cased(var.value, self.expr)
                lines.append(f"{var.name} = {value}")
        return self.section("Dtypes.", lines)

    def is_attr(self, name: str) -> bool:
        return any(a.name == name for a in self.op.attrs)

    def check_dtype(
        self, tensor: Tensor, bound: dict[str, str], unsure: set[str]
    ) -> str:
        name = tensor.dtype.only if tensor.dtype.plain else ""
        var = self.op.dtype_var(name)
        indent = INDENT + (0 if tensor.always else 4)
        first = (
            var is not None
            and var.free
            and not self.is_attr(name)
            and name not in bound
        )
        if first:
            bound[name] = tensor.name
            allowed, head, like = tuple_of(map(quoted, var.choices)), f"{name} = ", ""
        elif name in unsure:
            allowed = f"({name},) if {name} else {tuple_of(map(quoted, var.choices))}"
            head, like = f"{name} = ", f"like={quoted(bound[name])}"
        else:
            allowed, head = f"({self.dtype(tensor.dtype)},)", ""
            like = f"like={quoted(bound[name])}" if name in bound else ""
        item = f"{tensor.name}[0]" if tensor.list else tensor.name
        args = [quoted(tensor.name), item, allowed, *filter(None, [like])]
        text = self.helper("check_dtype", *args, head=head, indent=indent)
        if tensor.list:
            text = self.helper("check_list", quoted(tensor.name), tensor.name, indent=indent) + "\n" + " " * indent + text  # fmt: skip
        return (
            text
            if tensor.always
            else f"if {tensor.name} is not None:\n{' ' * indent}{text}"
        )

    # -- sizes -----------------------------------------------------------------------

    def sizes(self) -> str:
        lines = [
            f"{name} = None" for name in self.plan.unsure if not self.is_attr(name)
        ]
        guarded = [
            (self.tests(s), self.step, s) for s in self.plan.steps if not self.idle(s)
        ]
        guarded += self.comparisons()
        for tests, group in itertools.groupby(guarded, key=lambda item: item[0]):
            indent = INDENT + (4 if tests else 0)
            bodies = [text(item, indent) for _, text, item in group]
            if tests:
                bodies = [
                    "\n".join(
                        [f"if {tests}:", *(" " * indent + body for body in bodies)]
                    )
                ]
            lines += bodies
        return self.section("Sizes.", lines)

    def idle(self, step: Step) -> bool:
        """A rank check that cannot fail, or that the comparison of each element makes."""
        if not isinstance(step, Rank):
            return False
        return (step.open and step.count == Count(0)) or any(
            g.each for g in step.shape.groups
        )

    def tests(self, step: Step) -> str:
        guard: Guard = step.guard
        tests = []
        if guard.present:
            tests.append(f"{step.tensor} is not None")
        if guard.case is not None:
            tests.append(self.expr(guard.case, 3))
        tests += [self.negated(other) for other in guard.others]
        if guard.form is not None:
            tests.append(f"{step.tensor}_form == {guard.form}")
        tests += [f"{name} is not None" for name in guard.known]
        if guard.unknown:
            tests.append(f"{self.learns(step)} is None")
        return " and ".join(tests)

    @staticmethod
    def learns(step: Step) -> str:
        if isinstance(step, Rank):
            known = set(step.count.groups)
            return next(g.name for g in step.shape.groups if g.name not in known)
        return step.name

    def step(self, step: Step, indent: int) -> str:
        tensor = self.op.tensor(step.tensor)
        source = f"{tensor.name}[0].shape" if tensor.list else f"{tensor.name}.shape"
        match step:
            case Rank(shape=shape, count=count):
                bound = "at_least" if step.open else "exactly"
                args = [quoted(tensor.name), tensor.name, quoted(str(shape))]
                args.append(f"{bound}={self.count(count)}")
                return self.helper("check_rank", *args, indent=indent)
            case Choose(counts=counts):
                ranks = tuple_of(map(self.count, counts))
                texts = quoted(" or ".join(f"`{s}`" for s in step.shapes))
                return self.helper("choose_form", quoted(tensor.name), tensor.name, ranks, texts, head=f"{tensor.name}_form = ", indent=indent)  # fmt: skip
            case Length(name=name):
                return f"{name} = len({tensor.name})"
            case Take(each=True):
                return f"{step.name} = [each.shape{self.slice(step, 'each.shape')} for each in {tensor.name}]"
            case Take():
                return f"{step.name} = {source}{self.slice(step, source)}"
            case Solve(each=True):
                return f"{step.name} = [{self.solved(step, 'each.shape', indent)} for each in {tensor.name}]"
            case Solve():
                return f"{step.name} = {self.solved(step, source, indent)}"
        raise TypeError(step)

    def slice(self, step: Take, source: str) -> str:
        start = "" if step.before == Count(0) else self.count(step.before)
        if step.after == Count(0):
            stop = ""
        elif step.after.groups:
            stop = f"len({source}) - {self.count(step.after)}"
            stop = stop.replace(" + ", " - ")
        else:
            stop = f"-{step.after.fixed}"
        if not start and not stop:
            return ""
        simple = all(part.lstrip("-").isidentifier() or part.lstrip("-").isdigit() or not part for part in (start, stop))  # fmt: skip
        if simple:
            return f"[{start}:{stop}]"
        return f"[{start}{' ' if start else ''}:{' ' if stop else ''}{stop}]"

    def solved(self, step: Solve, source: str, indent: int) -> str:
        index = f"-{step.after.fixed + 1}" if step.from_end else self.count(step.before)
        size = f"{source}[{index}]"
        if step.factor == Const(1) and step.offset == Const(0):
            return size
        args = [
            quoted(step.tensor),
            quoted(text_of(step.term)),
            quoted(step.name),
            size,
        ]
        args += [self.expr(step.factor), self.expr(step.offset)]
        return self.helper("solve", *args, indent=indent)

    def negated(self, condition: Expr) -> str:
        match condition:
            case Call("present", (operand,)):
                return f"{self.expr(operand)} is None"
            case Compare(("==",), operands):
                return self.expr(Compare(("!=",), operands), 3)
        return f"not {self.expr(condition, 10)}"

    def comparisons(self) -> list[tuple]:
        """A check of every shape that is more than what was learnt from it."""
        found = []
        for tensor in self.op.inputs:
            for number, (condition, forms) in enumerate(tensor.forms.cases):
                for form, shape in enumerate(forms):
                    if (
                        tensor.forms.plain
                        and len(forms) == 1
                        and self.learnt_whole(tensor, shape)
                    ):
                        continue
                    tests = [] if tensor.always else [f"{tensor.name} is not None"]
                    if condition is not None:
                        tests.append(self.expr(condition, 3))
                    elif not tensor.forms.plain:
                        tests += [
                            self.negated(c)
                            for c, _ in tensor.forms.cases
                            if c is not None
                        ]
                    if len(forms) > 1:
                        tests.append(f"{tensor.name}_form == {form}")
                    found.append(
                        (" and ".join(tests), self.comparison, (tensor, shape))
                    )
        return found

    def learnt_whole(self, tensor: Tensor, shape: Shape) -> bool:
        if tensor.list:
            return False
        learnt = {
            step.name
            for step in self.plan.steps
            if step.tensor == tensor.name
            and isinstance(step, Take | Solve)
            and not (step.guard.unknown or step.guard.known)
            and (isinstance(step, Take) or step.factor == Const(1))
        }
        names = [t.name for t in shape.terms]
        return len(set(names)) == len(names) and all(n in learnt for n in names)

    def comparison(self, item: tuple[Tensor, Shape], indent: int) -> str:
        tensor, shape = item
        binder: dict[str, str] = {}
        for step in self.plan.steps:
            if not isinstance(step, Rank | Choose):
                binder.setdefault(step.name, step.tensor)
        whole = expanded(shape, dict(self.op.dims))
        origins = {
            n: binder[n]
            for n in whole.names
            if binder.get(n, tensor.name) != tensor.name
        }
        deeper = indent + (4 if tensor.list else 0)
        sizes = self.shape(whole)
        if deeper + 4 + len(sizes) + 1 > WIDTH:
            sizes = bracketed(
                "(", [self.term(term) for term in whole.terms], ")", deeper + 4
            )
        args = [quoted(tensor.name), "each" if tensor.list else tensor.name]
        args += [sizes, quoted(str(shape))]
        args += [
            f"{name}=({quoted(source)}, {name})" for name, source in origins.items()
        ]
        text = self.helper("check_shape", *args, indent=deeper)
        if tensor.list:
            text = f"for i, each in enumerate({tensor.name}):\n{' ' * deeper}{text}"
        return text

    # -- what follows ----------------------------------------------------------------

    def derived(self) -> str:
        lines = []
        for attr in self.op.attrs:
            if isinstance(attr.default, Expr):
                lines.append(
                    f"if {attr.name} is None:\n        {attr.name} = {self.expr(attr.default)}"
                )
        lines += [f"{name} = {self.expr(value)}" for name, value in self.op.dims]
        return self.section("What follows from the sizes.", lines)

    def require(self) -> str:
        return self.section("Requirements.", map(self.requirement, self.op.require))

    def requirement(self, item: Requirement) -> str:
        text = item.message or text_of(item.condition)
        names = [n for n in names_in(item.condition) if n not in DTYPES]
        values = [
            f"{n}={n}" for n in names if n not in {t.name for t in self.op.tensors}
        ]
        return self.helper("require", self.expr(item.condition), quoted(text), *values)

    def returns(self) -> str:
        items = [f"{t.name}={self.result(t, len(t.name) + 1)}" for t in self.op.written]
        return call("return Results(", items, ")", INDENT)

    def result(self, tensor: Tensor, used: int) -> str:
        """The spec of one result; `used` characters of its line are taken."""
        shape = self.cased(tensor.forms, lambda forms: self.shape(forms[0]))
        head, items, tail = "TensorSpec(", [shape, self.dtype(tensor.dtype)], ")"
        if tensor.list:
            head, tail = "[TensorSpec(", f") for i in range({tensor.list})]"
        test = None
        if tensor.optional:
            test = f"{quoted(tensor.name)} in wanted"
        elif tensor.when is not None:
            test = self.expr(tensor.when, 1)
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

    @staticmethod
    def section(title: str, lines: Iterable[str]) -> str:
        lines = list(lines)
        return "\n    ".join([f"# {title}", *lines]) if lines else ""


def _asked(expr: Expr, wanted: set[str]) -> Expr:
    """`present(dweight)` of an optional result as `dweight in wanted`."""
    if not any(c.func == "present" and c.args[0].id in wanted for c in calls_in(expr)):
        return expr
    if isinstance(expr, Call) and expr.func == "present":
        return Compare(("in",), (Const(expr.args[0].id), Name("wanted")))
    return map_children(expr, lambda e: _asked(e, wanted))


def _literal(value: object) -> str:
    return quoted(value) if isinstance(value, str) else repr(value)
