"""Shape inference: plan how a call determines its sizes from the shapes of its inputs.

`plan` records the steps of "A call, step by step" in docs/language/calls.md, with names instead of
numbers. From this plan, opgen prints the fake kernel, the abstract evaluation, and the C++ code
that allocates results. So these three cannot disagree.

The planner makes passes over the inputs, in file order, until a pass finds no new size. If only one
group of a shape has an unknown rank, the group takes the remaining dims. Then the planner solves
each term with one unknown name.

Tensors may be absent or have several shapes. The planner follows all combinations at once. If a
step applies only to some combinations, it has a guard. Two combinations are planned separately only
while a name is known in just one of them, and a later step needs this name. So even an op with many
conditions needs few plans (`opgen/ir/worlds.py`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Protocol

from opgen.ir.worlds import World, Worlds, expanded
from opgen.language.call_variants import View
from opgen.language.expr import Binary, Expr, Index, Name, Unary, names_in, walk
from opgen.language.linear import linear
from opgen.language.shapes import Dim, Group, Shape, Term
from opgen.source.frozen import dataclass
from opgen.source.work import spend


class Tensor(Protocol):
    """The attributes of an input that shape inference reads, as in `opgen.ir.nodes.Tensor`."""

    name: str
    list: str | None
    forms: Any

    @property
    def always(self) -> bool: ...


class Op(Protocol):
    """The attributes of an op that shape inference reads.

    Attrs have a `name`, and `dims` pairs names with expressions. A `computed` attr is a size that a
    function of other sizes computes. `decided` lists the names that are known before sizes: dtypes,
    and presence of tensors.
    """

    @property
    def inputs(self) -> tuple[Any, ...]: ...

    @property
    def attrs(self) -> tuple[Any, ...]: ...

    @property
    def dims(self) -> tuple[tuple[str, Expr], ...]: ...

    @property
    def decided(self) -> tuple[str, ...]: ...


@dataclass(frozen=True, slots=True)
class Count:
    """A number of dims: `fixed` plus the ranks of `groups`."""

    fixed: int
    groups: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Guard:
    """The condition under which a step runs. An empty guard always holds.

    - `present`: the tensor must be present.
    - `case`: the condition of the case of its shape must be true.
    - `others`: for the case `else`, all these conditions must be false.
    - `form`: the tensor must have the possible shape with this index.
    - `unknown`: the name that the step binds must be unknown.
    - `known`: these names must be known.
    """

    present: bool
    case: Expr | None = None
    others: tuple[Expr, ...] = ()
    form: int | None = None
    unknown: bool = False
    known: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Rank:
    """A step: check that `tensor` has `count` dims, or with `open` at least `count` dims."""

    tensor: str
    shape: Shape
    count: Count
    open: bool
    guard: Guard


@dataclass(frozen=True, slots=True)
class Choose:
    """A step: choose the shape of `tensor` by its rank. The first shape that fits is used."""

    tensor: str
    shapes: tuple[Shape, ...]
    counts: tuple[Count, ...]
    guard: Guard


@dataclass(frozen=True, slots=True)
class Take:
    """A step: bind group `name` to the dims between `before` and `after` in a tensor's shape."""

    tensor: str
    name: str
    before: Count
    after: Count
    each: bool
    guard: Guard


@dataclass(frozen=True, slots=True)
class Solve:
    """A step: compute dim `name` from one size of `tensor`, with `size == factor*name + offset`.

    `before` is the number of dims that precede the size in the shape, and `after` the number that
    follow it. `from_end` selects which of these two numbers locates the size.
    """

    tensor: str
    name: str
    term: Expr
    before: Count
    after: Count
    from_end: bool
    factor: Expr
    offset: Expr
    each: bool
    guard: Guard


@dataclass(frozen=True, slots=True)
class Length:
    """A step: bind dim `name` to the number of tensors in the list `tensor`."""

    tensor: str
    name: str
    guard: Guard


# The name of the index of a tensor in a list.
EACH = Name("i")
Step = Rank | Choose | Take | Solve | Length


def learns(step: Step) -> str:
    """Return the name that a step binds. For a `Rank` step, which binds no name, return the name of
    its group with unknown rank.
    """
    match step:
        case Rank(shape=shape, count=count):
            return next(g.name for g in shape.groups if g.name not in count.groups)
        case Take() | Solve() | Length():
            return step.name
    raise TypeError(step)


@dataclass(frozen=True, slots=True)
class Plan:
    """The steps that bind the sizes of a call.

    `unsure` lists the names that are known in only some combinations at the time a step needs them.
    Rendered code first sets them to None, and guards compare them with None. After the first
    `early` steps, opgen calls the functions that compute sizes.
    """

    steps: tuple[Step, ...]
    unsure: tuple[str, ...]
    early: int


def plan(op: Op, views: Iterable[View] | None = None) -> Plan:
    """Return the steps that bind the sizes of a call of `op`.

    `views` limits the plan to some combinations. Each view maps every input to its (case, form),
    the indices that select its shape, or to None if the input is absent.
    """
    return _Planner(op, views).run()


def bound_names(op: Op, view: View) -> set[str]:
    """Return the names whose sizes are known in calls of one combination.

    `view` maps each input to its (case, form), as for `plan`, or to None if the input is absent.
    """
    planner = _Planner(op, [view])
    planner.run()
    return planner.worlds.all[0].known


class _Planner:
    def __init__(self, op: Op, views: Iterable[View] | None = None) -> None:
        self.op = op
        self.dims = dict(op.dims)
        self.steps: list[Step] = []
        self.unsure: dict[str, None] = {}
        start = {a.name for a in op.attrs if _given(a)} | {*op.decided}
        self.computed = {a.name for a in op.attrs if a.computed is not None}
        self.worlds = Worlds(op.inputs, self.dims, start, views)

    def run(self) -> Plan:
        self.learn_all()
        early = len(self.steps)
        if self.computed:
            for world in self.worlds.all:
                world.known |= self.computed
            self.learn_all()
        return Plan(tuple(self.steps), tuple(self.unsure), early)

    def learn_all(self) -> None:
        """Visit all inputs. Visit those that are not settled again, until a pass adds no step."""
        due, seen, before = list(self.op.inputs), set[object](), -1
        while due and len(self.steps) != before and (state := self.worlds.state) not in seen:
            before = len(self.steps)
            seen.add(state)
            for tensor in due:
                self.visit(tensor)
            due = [tensor for tensor in due if not self.worlds.settled(tensor)]

    def visit(self, tensor: Tensor) -> None:
        self.worlds.split(tensor)
        spend(len(self.worlds.all))
        if tensor.list and tensor.list not in self.dims:
            self.learn_length(tensor, tensor.list)
        for c, (_, forms) in enumerate(tensor.forms.cases):
            if len(forms) > 1:
                self.choose(tensor, c, tuple(expanded(shape, self.dims) for shape in forms))
            for f in range(len(forms)):
                worlds = self.worlds.having(tensor, c, f)
                if not all(self.worlds.done(tensor.name, c, f, world) for world in worlds):
                    shape = self.worlds.shapes[tensor.name, c, f]
                    self.learn(tensor, c, f if len(forms) > 1 else None, shape, worlds)
        self.worlds.merge()

    def guard(self, tensor: Tensor, case: int, form: int | None) -> Guard:
        condition = tensor.forms.cases[case][0]
        others = ()
        if condition is None:
            others = tuple(c for c, _ in tensor.forms.cases if c is not None)
        return Guard(present=not tensor.always, case=condition, others=others, form=form)

    def learn_length(self, tensor: Tensor, name: str) -> None:
        worlds = self.worlds.having(tensor)
        enabled = [w for w in worlds if name not in w.known]
        if enabled:
            guard = Guard(present=not tensor.always, unknown=len(enabled) < len(worlds))
            self.emit(Length(tensor.name, name, guard), name, enabled)

    def choose(self, tensor: Tensor, case: int, shapes: tuple[Shape, ...]) -> None:
        worlds = self.worlds.having(tensor, case)
        groups, key = {g.name for shape in shapes for g in shape.groups}, (tensor.name, case)
        ready = [w for w in worlds if groups <= w.known and key not in w.ranked]
        if not ready:
            return
        for world in ready:
            world.ranked.add(key)
        late = tuple(sorted({g for w in worlds for g in groups - w.known}))
        guard = replace(self.guard(tensor, case, None), known=late)
        counts = tuple(_count(shape.terms) for shape in shapes)
        self.steps.append(Choose(tensor.name, shapes, counts, guard))

    def learn(
        self, tensor: Tensor, case: int, form: int | None, shape: Shape, worlds: list[World]
    ) -> None:
        base = self.guard(tensor, case, form)
        if form is None:
            self.check_rank((tensor.name, case), shape, worlds, base)
            self.take_groups(tensor, shape, worlds, base)
        for position, term in enumerate(shape.terms):
            if isinstance(term, Dim):
                self.solve(tensor, shape, position, term.size, worlds, base)

    def check_rank(
        self, key: tuple[str, int], shape: Shape, worlds: list[World], base: Guard
    ) -> None:
        """Add a step that checks the rank of a tensor, before any step reads its shape.

        The step can only be added if at most one group of the shape has an unknown rank.
        """
        groups = tuple(dict.fromkeys(g.name for g in shape.groups))

        def unknown(world: World) -> set[str]:
            return {g for g in groups if g not in world.known}

        ready = [w for w in worlds if key not in w.ranked and len(unknown(w)) <= 1]
        for world in ready:
            world.ranked.add(key)
        for missing in sorted({tuple(sorted(unknown(w))) for w in ready}):
            known = tuple(g for g in groups if g not in missing)
            late = tuple(g for g in known if any(g not in w.known for w in worlds))
            split = bool(missing) and len({bool(unknown(w)) for w in worlds}) > 1
            guard = replace(base, known=late, unknown=split) if late or split else base
            fixed = len(shape.terms) - len(shape.groups)
            count = Count(fixed, tuple(g.name for g in shape.groups if g.name not in missing))
            self.steps.append(Rank(key[0], shape, count, bool(missing), guard))

    def take_groups(self, tensor: Tensor, shape: Shape, worlds: list[World], base: Guard) -> None:
        for position, term in enumerate(shape.terms):
            if not isinstance(term, Group):
                continue
            others = {g.name for g in shape.groups} - {term.name}
            if sum(g.name == term.name for g in shape.groups) > 1:
                continue  # the group occurs twice, so its rank is ambiguous
            enabled = [w for w in worlds if term.name not in w.known and others <= w.known]
            if enabled:
                guard = self.narrowed(base, term.name, others, worlds)
                before, after = _count(shape.terms[:position]), _count(shape.terms[position + 1 :])
                step = Take(tensor.name, term.name, before, after, term.each, guard)
                self.emit(step, term.name, enabled)

    def solve(
        self,
        tensor: Tensor,
        shape: Shape,
        position: int,
        term: Expr,
        worlds: list[World],
        base: Guard,
    ) -> None:
        spend(5 + len(worlds))
        groups = {g.name for g in shape.groups}
        names = [n for n in names_in(term) if n != "i"]
        for name in names:
            others = ({*names} - {name}) | groups
            enabled = [w for w in worlds if name not in w.known and others <= w.known]
            if not enabled or name in self.computed:
                continue
            form = linear(_each_as_name(term), name)
            if form is None:
                continue
            guard = self.narrowed(base, name, others, worlds)
            before, after = _count(shape.terms[:position]), _count(shape.terms[position + 1 :])
            from_end = bool(before.groups) and not after.groups
            each = any(_is_each(e) for e in walk(term))
            step = Solve(tensor.name, name, term, before, after, from_end, *form, each, guard)
            self.emit(step, name, enabled)

    def narrowed(self, base: Guard, name: str, others: set[str], worlds: list[World]) -> Guard:
        late = tuple(sorted(n for n in others if any(n not in w.known for w in worlds)))
        unknown = any(name in w.known for w in worlds)
        return replace(base, unknown=unknown, known=late) if late or unknown else base

    def emit(self, step: Step, name: str, enabled: list[World]) -> None:
        self.steps.append(step)
        for world in enabled:
            world.known.add(name)
        if any(name not in w.known for w in self.worlds.all):
            self.unsure.setdefault(name)


def _given(attr: Any) -> bool:
    """Return whether an attr is known before the sizes: it is not computed, and its default is not
    an expression.
    """
    return attr.computed is None and not isinstance(attr.default, Expr)


def _count(terms: tuple[Term, ...]) -> Count:
    groups = tuple(t.name for t in terms if isinstance(t, Group))
    return Count(len(terms) - len(groups), groups)


def _is_each(expr: Expr) -> bool:
    return isinstance(expr, Index) and expr.index == EACH


def _each_as_name(expr: Expr) -> Expr:
    """Return `expr` with `s` instead of `s[i]`, to describe only one tensor of a list."""
    match expr:
        case Index(value=Name() as name, index=Name(id="i")):
            return name
        case Binary(op=op, left=left, right=right):
            return Binary(op, _each_as_name(left), _each_as_name(right))
        case Unary(op=op, operand=operand):
            return Unary(op, _each_as_name(operand))
    return expr
