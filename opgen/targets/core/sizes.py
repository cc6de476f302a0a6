"""Print the section of `infer` that reads sizes from shapes and then compares all shapes."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from functools import partial

from opgen.ir.nodes import Tensor
from opgen.ir.origins import origins, said_of
from opgen.ir.shape_inference import Choose, Count, Guard, Length, Rank, Solve, Step, Take, learns
from opgen.ir.worlds import expanded
from opgen.language.expr import Const, Expr, names_in, text_of
from opgen.language.python_functions import SizeFunction
from opgen.language.scope import DEVICE
from opgen.language.shapes import Shape
from opgen.targets.core.printer import Printer, section
from opgen.targets.python_format import block, call, quoted, tuple_of

# Conditions, and a function that prints the statement to run if they hold. The items are in the
# order in which names become known.
Guarded = tuple[str, Callable[[], str]]


class Sizes:
    """Prints the section of `infer` that determines and checks sizes."""

    def __init__(self, printer: Printer) -> None:
        self.printer, self.op = printer, printer.op
        self.plan = printer.op.plan

    def text(self) -> str:
        unsure = [name for name in self.plan.unsure if not self.printer.is_attr(name)]
        lines = [f"{name}: {self.printer.own('Any')} = None" for name in unsure]
        early = self.plan.early
        guarded = self.steps(self.plan.steps[:early])
        guarded += [("", partial(self.computed, *each)) for each in self.op.computed.items()]
        guarded += self.steps(self.plan.steps[early:])
        guarded += self.counts()
        guarded += self.comparisons()
        for tests, group in itertools.groupby(guarded, key=lambda item: item[0]):
            bodies = [text() for _, text in group]
            lines += [block(f"if {tests}:", bodies)] if tests else bodies
        return section("Sizes.", lines)

    def steps(self, steps: Iterable[Step]) -> list[Guarded]:
        told = (step for step in steps if not self.idle(step))
        return [(self.tests(step), partial(self.step, step)) for step in told]

    def idle(self, step: Step) -> bool:
        """Return whether the rank check `step` is unnecessary. It is unnecessary if it cannot fail,
        or if a later comparison of shapes includes it.
        """
        if not isinstance(step, Rank):
            return False
        return (step.open and step.count == Count(0)) or any(g.each for g in step.shape.groups)

    def tests(self, step: Step) -> str:
        guard: Guard = step.guard
        tests = []
        if guard.present:
            tests.append(f"{step.tensor} is not None")
        if guard.case is not None:
            tests.append(self.printer.expr(guard.case, 3))
        tests += [self.printer.negated(other) for other in guard.others]
        if guard.form is not None:
            tests.append(f"{self.form(step.tensor)} == {guard.form}")
        tests += [f"{name} is not None" for name in guard.known]
        if guard.unknown:
            tests.append(f"{learns(step)} is None")
        return self.all_of(tests, guard.case)

    def all_of(self, tests: list[str], case: Expr | None) -> str:
        """Return `tests` joined by `and`. If `case` is the only test, omit its parentheses."""
        if len(tests) == 1 and case is not None:
            return self.printer.expr(case, 1)
        return " and ".join(tests)

    def form(self, tensor: str) -> str:
        """Return the variable name for the index of the shape that `tensor` has in a call."""
        return self.printer.own(f"{tensor}_form")

    def step(self, step: Step) -> str:
        tensor, each = self.op.tensor(step.tensor), self.printer.own("each")
        source = f"{tensor.name}[0].shape" if tensor.list else f"{tensor.name}.shape"
        match step:
            case Rank(shape=shape, count=count):
                bound = "at_least" if step.open else "exactly"
                args = [quoted(tensor.name), tensor.name, quoted(str(shape))]
                args.append(f"{bound}={self.printer.count(count)}")
                args += self.of(count.groups, tensor)
                return self.printer.helper("check_rank", *args)
            case Choose(counts=counts):
                ranks = tuple_of(map(self.printer.count, counts))
                texts = quoted(" or ".join(f"`{s}`" for s in step.shapes))
                groups = dict.fromkeys(group for each in counts for group in each.groups)
                return self.printer.helper(
                    "choose_form",
                    quoted(tensor.name),
                    tensor.name,
                    ranks,
                    texts,
                    *self.of(groups, tensor),
                    head=f"{self.form(tensor.name)} = ",
                )
            case Length(name=name):
                return f"{name} = {self.printer.own('len')}({tensor.name})"
            case Take(each=True):
                return f"{step.name} = [{each}.shape{self.slice(step, f'{each}.shape')} for {each} in {tensor.name}]"
            case Take():
                return f"{step.name} = {source}{self.slice(step, source)}"
            case Solve(each=True):
                return f"{step.name} = [{self.solved(step, f'{each}.shape')} for {each} in {tensor.name}]"
            case Solve():
                return self.solved(step, source, f"{step.name} = ")
        raise TypeError(step)

    def of(self, names: Iterable[str], tensor: Tensor) -> list[str]:
        """Return the code of the argument `of` of a check on `tensor`. The argument names the
        inputs that determined `names`.
        """
        text = said_of(self.op, names, tensor.name)
        return [f"of={quoted(text)}"] if text else []

    def slice(self, step: Take, source: str) -> str:
        start = "" if step.before == Count(0) else self.printer.count(step.before)
        if step.after == Count(0):
            stop = ""
        elif step.after.groups:
            stop = f"{self.printer.own('len')}({source}) - {self.printer.count(step.after)}"
            stop = stop.replace(" + ", " - ")
        else:
            stop = f"-{step.after.fixed}"
        if not start and not stop:
            return ""
        return f"[{start}:{stop}]"

    def solved(self, step: Solve, source: str, head: str = "") -> str:
        index = f"-{step.after.fixed + 1}" if step.from_end else self.printer.count(step.before)
        size = f"{source}[{index}]"
        if step.factor == Const(1) and step.offset == Const(0):
            return f"{head}{size}"
        args = [quoted(step.tensor), quoted(text_of(step.term)), quoted(step.name), size]
        args += [self.printer.expr(step.factor), self.printer.expr(step.offset)]
        known = [name for name in names_in(step.term) if name != step.name]
        args += self.of(known, self.op.tensor(step.tensor))
        return self.printer.helper("solve", *args, head=head)

    def computed(self, name: str, function: SizeFunction) -> str:
        """Return the statement that calls a size function if the caller did not pass the size."""
        module = function.file.removesuffix(".py")
        size = call(f"_{module}.{function.name}", function.parameters)
        args = [quoted(name), size, quoted("int"), "low=0"]
        checked = self.printer.helper("check_attr", *args, head=f"{name} = ")
        facts = [f"{n}={n}" for n in function.parameters if n in DEVICE]
        lines = [self.printer.helper("check_known", quoted(name), *facts)] if facts else []
        return block(f"if {name} is None:", [*lines, checked])

    def comparisons(self) -> list[Guarded]:
        """Return a comparison for each shape, unless all its sizes come from the shape itself."""
        found: list[Guarded] = []
        for tensor in self.op.inputs:
            for condition, forms in tensor.forms.cases:
                for form, shape in enumerate(forms):
                    if tensor.forms.plain and len(forms) == 1 and self.learnt_whole(tensor, shape):
                        continue
                    tests = [] if tensor.always else [f"{tensor.name} is not None"]
                    if condition is not None:
                        tests.append(self.printer.expr(condition, 3))
                    elif not tensor.forms.plain:
                        tests += [
                            self.printer.negated(c) for c, _ in tensor.forms.cases if c is not None
                        ]
                    if len(forms) > 1:
                        tests.append(f"{tensor.name}_form == {form}")
                    found.append(
                        (self.all_of(tests, condition), partial(self.comparison, tensor, shape))
                    )
        return found

    def counts(self) -> list[Guarded]:
        """Return a check of every list whose length is determined by another argument."""
        first = {s.name: s.tensor for s in self.plan.steps if isinstance(s, Length)}
        return [
            (
                "" if t.always else f"{t.name} is not None",
                partial(self.count, t, t.list, first.get(t.list)),
            )
            for t in self.op.inputs
            if t.list is not None and first.get(t.list) != t.name
        ]

    def count(self, tensor: Tensor, length: str, first: str | None) -> str:
        """Return the check of a list's length. `first` is the list that determined the length, or
        None if an attr or a derived dim did.
        """
        derived = dict(self.op.dims).get(length)
        value = length if derived is None else self.printer.expr(derived)
        args = [quoted(tensor.name), tensor.name, value]
        args.append(quoted(f"{length} of {first}" if first else length))
        return self.printer.helper("check_count", *args)

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

    def comparison(self, tensor: Tensor, shape: Shape) -> str:
        whole = expanded(shape, dict(self.op.dims))
        givers = origins(self.op, whole.names, tensor.name)
        told = {
            name: givers.get(name, "")
            for name in whole.names
            if name in givers or self.printer.is_attr(name)
        }
        each = self.printer.own("each")
        own = {name: f"{name}[i]" for name in whole.each}
        args = [quoted(tensor.name), tensor.name]
        if tensor.list:
            args = [f"f{quoted(f'{tensor.name}[{{i}}]')}", each]
        args += [self.printer.shape(whole), quoted(str(shape))]
        args += [f"{n}=({quoted(source)}, {own.get(n, n)})" for n, source in told.items()]
        text = self.printer.helper("check_shape", *args)
        if tensor.list:
            pairs = f"{self.printer.own('enumerate')}({tensor.name})"
            return block(f"for i, {each} in {pairs}:", [text])
        return text
