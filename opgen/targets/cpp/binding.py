"""Print the C++ constructor of a checked call, which determines and checks dtypes and sizes.

The steps have the order of docs/language/calls.md, "A call, step by step": attrs, presence, dtypes,
sizes, comparison, derived values, requirements. As in Python, the plan of shape inference defines
how to read the sizes.
"""

from __future__ import annotations

from collections.abc import Iterable

from opgen.ir.nodes import Attr, DTypeVar, Tensor
from opgen.ir.op import Op
from opgen.ir.origins import dtype_origins, origins
from opgen.ir.shape_inference import Choose, Count, Length, Rank, Solve, Step, Take, learns
from opgen.ir.worlds import expanded
from opgen.language.dtypes import DTYPES
from opgen.language.expr import Const, Expr, Name, names_in, parse_expr, text_of
from opgen.language.expr.cpp import UNARY, element_type, quoted
from opgen.language.shapes import Group, Shape
from opgen.source.cached import cached_property
from opgen.targets.cpp.cpp_format import listing
from opgen.targets.cpp.names import given, member
from opgen.targets.cpp.printing import cased, message, printer_of, shape_text
from opgen.targets.cpp.types import free_vars
from opgen.targets.public_api import derivation


class BindingBody:
    """Prints the statements of a checked call's constructor, in sections."""

    def __init__(self, op: Op) -> None:
        self.op = op
        self.plan = op.plan
        self.expr = printer_of(op)

    def sections(self) -> list[list[str]]:
        """Return the non-empty sections of the constructor."""
        every = (
            self.attrs(),
            self.presence(of_dtypes=False),
            self.dtypes(),
            self.presence(of_dtypes=True),
            self.sizes(),
            self.comparisons(),
            self.derived(),
            self.requirements(),
        )
        return [section for section in every if section]

    # -- attrs and presence ---------------------------------------------------------

    def attrs(self) -> list[str]:
        return [line for attr in self.op.attrs for line in self.attr(attr)]

    def attr(self, attr: Attr) -> Iterable[str]:
        name, label = member(attr.name), quoted(attr.name)
        if isinstance(attr.default, Expr):
            head, value = f"if ({given(attr.name)}) ", f"*{given(attr.name)}"
        else:
            head, value = (f"if ({name}) ", f"*{name}") if attr.nullable else ("", name)
        if attr.length:
            yield f"{head}opgen::count_is(op, {label}, {value}, {attr.length});"
        if attr.several:
            head, value = f"{head}for (auto each : {value}) ", "each"
        for check, limit in (("at_least", attr.min), ("at_most", attr.max)):
            if limit is not None:
                yield f"{head}opgen::{check}(op, {label}, {value}, {limit!r});"
        if attr.choices:
            named = attr.type == "dtype"
            choices = [
                element_type(choice) if named else self.expr(Const(choice))
                for choice in attr.choices
            ]
            text = listing("opgen::choice(", ["op", label, value, *choices], ");")
            yield (
                f"{head}{member(attr.name)}position = {text}" if attr.type == "str" else head + text
            )

    def presence(self, *, of_dtypes: bool) -> list[str]:
        """Return the checks of presence that depend on dtypes.

        Without `of_dtypes`, return the checks that do not depend on dtypes.
        """
        dtypes = {var.name for var in self.op.dtypes}
        return [
            f"{member(t.name)}.present_when({self.expr(t.when)}, {quoted(text_of(t.when))});"
            for t in self.op.inputs
            if t.when is not None and of_dtypes == any(name in dtypes for name in names_in(t.when))
        ]

    # -- dtypes ---------------------------------------------------------------------

    def dtypes(self) -> list[str]:
        binders = self.binders()
        lines = []
        for tensor in self.op.inputs:
            if self.plain_dtype(tensor) in DTYPES or self.plain_dtype(tensor) in binders:
                lines.append(self.check_dtype(tensor, binders))
        for var in free_vars(self.op):
            if var.name not in binders:
                lines.append(f"{member(var.name)} = {element_type(var.choices[0])};")
                lines += self.late_binding(var)
        for var in self.op.dtypes:
            if not var.free:
                value = cased(var.value, self.expr, self.expr)
                lines.append(f"{member(var.name)} = {value};")
        for tensor in self.op.inputs:
            name = self.plain_dtype(tensor)
            if name not in DTYPES and name not in binders and not self.is_late(name):
                lines.append(self.check_dtype(tensor, binders))
        return lines

    @staticmethod
    def plain_dtype(tensor: Tensor) -> str:
        return tensor.dtype.only if tensor.dtype.plain else ""

    def binders(self) -> dict[str, str]:
        """Map each free dtype variable to the first input that has this dtype in every call."""
        found: dict[str, str] = {}
        for var in free_vars(self.op):
            for tensor in self.op.inputs:
                if self.plain_dtype(tensor) == var.name and tensor.always:
                    found[var.name] = tensor.name
                    break
        return found

    def is_late(self, name: str) -> bool:
        return any(var.name == name for var in free_vars(self.op))

    def late_binding(self, var: DTypeVar) -> list[str]:
        """Return statements that read a dtype variable from the first present tensor. They are for
        a variable that only optional tensors have.
        """
        carriers = [t for t in self.op.inputs if self.plain_dtype(t) == var.name]
        lines = []
        for number, tensor in enumerate(carriers):
            name = member(tensor.name)
            before = " && ".join(f"!{member(t.name)}.present()" for t in carriers[:number])
            first = f"{name}.present() && {before}" if before else f"{name}.present()"
            lines.append(f"if ({first}) {self.binds(var.name, tensor, var.choices)}")
            if before:
                lines.append(f'if ({name}.present()) {name}.dtype_is({member(var.name)}, "");')
        return lines

    @staticmethod
    def binds(name: str, tensor: Tensor, choices: Iterable[str]) -> str:
        allowed = [element_type(choice) for choice in choices]
        head = f"{member(name)} = {member(tensor.name)}.dtype_in(opgen::types("
        return listing(head, allowed, "));")

    def check_dtype(self, tensor: Tensor, binders: dict[str, str]) -> str:
        name = self.plain_dtype(tensor)
        if binders.get(name) == tensor.name:
            (choices,) = (var.choices for var in free_vars(self.op) if var.name == name)
            return self.binds(name, tensor, choices)
        expected = cased(tensor.dtype, self.expr, lambda d: self.expr(Name(d)))
        reason = f", the dtype of {binders[name]}" if name in binders else ""
        if not reason and name and name not in DTYPES:
            derived = derivation(self.op, name)
            reason = f", {derived}" if derived else f", which is {name}"
        text = f"{member(tensor.name)}.dtype_is({expected}, {quoted(reason)});"
        optional = {attr.name for attr in self.op.attrs if attr.optional}
        if optional & {*tensor.dtype.values()}:
            known = cased(
                tensor.dtype,
                self.expr,
                lambda d: self.expr(parse_expr(f"present({d})")) if d in optional else "true",
            )
            of = quoted(dtype_origins(self.op, tensor))
            text = f"{{ {member(tensor.name)}.has_dtype({known}, {of}); {text} }}"
            return text if not tensor.always else text[2:-2]
        return text if tensor.always else f"if ({member(tensor.name)}.present()) {text}"

    # -- sizes ----------------------------------------------------------------------

    def sizes(self) -> list[str]:
        lines = [f"bool {self.known(n)} = false;" for n in self.asked]
        chosen = [step.tensor for step in self.plan.steps if isinstance(step, Choose)]
        lines += [f"int32_t {member(n)}form = -1;" for n in dict.fromkeys(chosen)]
        for step in self.plan.steps:
            if isinstance(step, Rank) and step.open and step.count == Count(0):
                continue  # every rank is allowed
            statement = self.step(step)
            lines += self.guarded(step, statement) if statement else []
        return lines

    @cached_property
    def asked(self) -> tuple[str, ...]:
        """Return the dims and groups that may be unknown when a statement reads them. The C++ code
        must first test whether they are known.
        """
        found = {learns(s) for s in self.plan.steps if s.guard.unknown}
        for step in self.plan.steps:
            found.update(step.guard.known)
        return tuple(name for name in self.plan.unsure if name in found)

    @staticmethod
    def known(name: str) -> str:
        return f"{member(name)}known"

    def guarded(self, step: Step, statement: str) -> list[str]:
        learnt = "" if isinstance(step, Rank | Choose) else step.name
        lines = [statement, *([f"{self.known(learnt)} = true;"] if learnt in self.asked else [])]
        tests = " && ".join(self.tests(step))
        if not tests:
            return lines
        if len(lines) == 1:
            return [f"if ({tests}) {statement}"]
        return [f"if ({tests}) {{", *(f"  {line}" for line in lines), "}"]

    def tests(self, step: Step) -> list[str]:
        guard, tests = step.guard, []
        tensor = member(step.tensor)
        if guard.present:
            tests.append(f"{tensor}.present()")
        if guard.case is not None:
            tests.append(self.expr(guard.case, UNARY))
        tests += [f"!{self.expr(other, UNARY)}" for other in guard.others]
        if guard.form is not None:
            tests.append(f"{tensor}form == {guard.form}")
        tests += [self.known(name) for name in guard.known if name in self.plan.unsure]
        if guard.unknown:
            tests.append(f"!{self.known(learns(step))}")
        return tests

    def step(self, step: Step) -> str:
        tensor = member(step.tensor)
        match step:
            case Rank(shape=shape) if any(g.each for g in shape.groups):
                # Each tensor of the list has its own rank, which the comparison of shapes checks.
                fixed = step.count.fixed
                return f"{tensor}.rank_at_least({fixed});" if fixed else ""
            case Rank(open=True, count=count):
                return f"{tensor}.rank_at_least({self.count(count)});"
            case Rank(count=count):
                return f"{tensor}.rank_is({self.count(count)});"
            case Choose(counts=counts):
                ranks = ", ".join(map(self.count, counts))
                return f"{tensor}form = {tensor}.form({ranks});"
            case Take(each=True) | Solve(each=True):
                return self.each(step, tensor)
            case Take(name=name, before=before, after=after):
                taken = f"{self.one(step)}.take({self.count(before)}, {self.count(after)})"
                return f"{member(name)} = {taken};"
            case Solve(name=name):
                return f"{member(name)} = {self.solved(step, self.one(step))};"
            case Length(name=name):
                return f"{member(name)} = {tensor}.count;"
        raise TypeError(step)

    def one(self, step: Step) -> str:
        """Return the code of the tensor that a step reads. For a list, this is the first tensor,
        because all tensors give the same value.
        """
        name = member(step.tensor)
        return f"{name}[0]" if self.op.tensor(step.tensor).list else name

    def each(self, step: Take | Solve, tensor: str) -> str:
        """Return a loop that reads a dim or group from every tensor of a list."""
        item = f"{tensor}[i]"
        if isinstance(step, Take):
            value = f"{item}.take({self.count(step.before)}, {self.count(step.after)})"
        else:
            value = self.solved(step, item)
        name = member(step.name)
        return f"for (int64_t i = 0; i < {tensor}.count; ++i) {name}.push_back({value});"

    @staticmethod
    def count(count: Count) -> str:
        parts = [f"opgen::len({member(g)})" for g in count.groups]
        if count.fixed or not parts:
            parts.append(str(count.fixed))
        return " + ".join(parts)

    def solved(self, step: Solve, tensor: str) -> str:
        index = f"-{step.after.fixed + 1}" if step.from_end else self.count(step.before)
        size = f"{tensor}.size({index})"
        if step.factor == Const(1) and step.offset == Const(0):
            return size
        items = [size, self.expr(step.factor), self.expr(step.offset)]
        items += [quoted(text_of(step.term)), quoted(step.name)]
        return listing(f"{tensor}.solve(", items, ")")

    # -- comparison and derived values ------------------------------------------------

    def comparisons(self) -> list[str]:
        """Return a comparison for each shape, unless all its sizes come from the shape itself."""
        lines = self.counts()
        for tensor in self.op.inputs:
            forms = list(tensor.forms.cases)
            for condition, shapes in forms:
                for form, shape in enumerate(shapes):
                    if tensor.forms.plain and len(shapes) == 1 and self.learnt(tensor, shape):
                        continue
                    tests = [] if tensor.always else [f"{member(tensor.name)}.present()"]
                    if condition is not None:
                        tests.append(self.expr(condition, UNARY))
                    elif not tensor.forms.plain:
                        tests += [f"!{self.expr(c, UNARY)}" for c, _ in forms if c]
                    if len(shapes) > 1:
                        tests.append(f"{member(tensor.name)}form == {form}")
                    head = f"if ({' && '.join(tests)}) " if tests else ""
                    lines.append(head + self.comparison(tensor, shape))
        return lines

    def counts(self) -> list[str]:
        """Return the checks that lists have the lengths that other arguments determine."""
        origins = {s.name: s.tensor for s in self.plan.steps if isinstance(s, Length)}
        lines = []
        for tensor in self.op.inputs:
            if tensor.list is None or origins.get(tensor.list) == tensor.name:
                continue
            name, origin = member(tensor.name), origins.get(tensor.list)
            reason = quoted(f", {tensor.list}{f' of {origin}' if origin else ''}")
            text = f"{name}.count_is({self.length(tensor.list)}, {reason});"
            lines.append(text if tensor.always else f"if ({name}.present()) {text}")
        return lines

    def length(self, name: str) -> str:
        """Return the code for the length of a list. For a derived dim, return its expression,
        because the variable may not have a value yet.
        """
        derived = dict(self.op.dims).get(name)
        return f"opgen::Int({self.expr(derived)})" if derived is not None else member(name)

    def learnt(self, tensor: Tensor, shape: Shape) -> bool:
        """Return whether the plan reads every term of `shape` from this tensor. If so, a comparison
        of the shape cannot fail.
        """
        if tensor.list and not all(isinstance(t, Group) and t.each for t in shape.terms):
            return False
        names = {
            step.name
            for step in self.plan.steps
            if step.tensor == tensor.name
            and isinstance(step, Take | Solve)
            and not (step.guard.unknown or step.guard.known)
            and (isinstance(step, Take) or isinstance(step.term, Name))
        }
        terms = [term.name for term in shape.terms]
        return len(set(terms)) == len(terms) and all(name in names for name in terms)

    def comparison(self, tensor: Tensor, shape: Shape) -> str:
        whole = expanded(shape, dict(self.op.dims))
        others = origins(self.op, whole.names, tensor.name)
        reason = "".join(f", {name} of {source}" for name, source in others.items())
        items = [shape_text(whole, self.expr), *([quoted(reason)] if reason else [])]
        name = member(tensor.name)
        if tensor.list:
            check = f"{name}[i].shape_is({', '.join(items)});"
            return f"for (int64_t i = 0; i < {name}.count; ++i) {check}"
        return listing(f"{name}.shape_is(", items, ");")

    def derived(self) -> list[str]:
        lines = []
        for attr in self.op.attrs:
            if isinstance(attr.default, Expr):
                name = member(attr.name)
                lines.append(f"if (!{given(attr.name)}) {name} = {self.expr(attr.default)};")
        for name, value in self.op.dims:
            lines.append(f"{member(name)} = {self.expr(value)};")
        return lines

    def requirements(self) -> list[str]:
        lines = []
        for requirement in self.op.require:
            told = message(self.op, requirement, self.expr)
            items = [self.expr(requirement.condition), "op", *told]
            check = listing("opgen::require(", items, ");")
            if requirement.each is not None:
                count = member(requirement.each)
                lines.append(f"for (int64_t i = 0; i < {count}.value(); ++i) {{")
                check = f"  {check}"
            lines.append(check)
            lines += ["}"] if requirement.each is not None else []
        return lines


def bound_sizes(op: Op) -> tuple[tuple[str, str], ...]:
    """Return the name and C++ type of each dim and group, in the order in which a call determines
    them.
    """
    types: dict[str, str] = {}
    given = {attr.name for attr in op.attrs}
    for step in op.plan.steps:
        kind = "opgen::Sizes" if isinstance(step, Take) else "opgen::Int"
        if isinstance(step, Take | Solve) and step.each:
            kind = f"std::vector<{kind}>"
        if isinstance(step, Take | Solve | Length):
            types.setdefault(step.name, kind)
    types.update((name, "opgen::Int") for name, _ in op.dims)
    return tuple((n, t) for n, t in types.items() if n not in given)
