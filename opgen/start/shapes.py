"""Infer the shapes of an op's tensors from calls. Sizes that are always equal share a name."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import field

from opgen.language.expr import names_in, parse_expr
from opgen.language.expr.evaluate import evaluate
from opgen.source.frozen import dataclass

Sizes = tuple[int, ...]

# Names for dims, in the order in which they are used.
NAMES = "n m k d h b c r p t u w".split()
GROUPS = ("s", "batch", "size_", "rest", "lead", "more")
# Factors and addends to try in expressions for a result's size.
NUMBERS = (2, 3, 4, 8, 16, 32, 64, 128)


@dataclass(frozen=True)
class Call:
    """The tensor shapes and the integer arguments of a call. An absent tensor's shape is None."""

    shapes: Mapping[str, Sizes | None]
    numbers: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Found:
    """The inferred shape of a tensor, as text for a spec. It is a guess unless `sure` is True."""

    text: str
    sure: bool


class Shapes:
    """Shapes inferred from calls. The sizes of `results` are expressions of the sizes of `inputs`.

    `calls` are observed calls. `proven` are calls with random sizes, in which fake kernels or
    tracing computed the shapes of results. `taken` are names that a dim cannot have.
    """

    def __init__(
        self,
        inputs: Sequence[str],
        results: Sequence[str],
        calls: Sequence[Call],
        proven: Sequence[Call] = (),
        taken: Collection[str] = (),
    ) -> None:
        self._calls = list(calls) or list(proven)
        self._learned = [*calls, *proven]
        self._inputs = [n for n in inputs if self._present(n)]
        self._results = list(results)
        self._numbers = sorted({n for each in self._calls for n in each.numbers})
        self._taken = {*taken, *inputs, *results, *self._numbers}
        names = [*self._inputs, *(n for n in self._results if self._present(n))]
        self._tails, self._groups = self._split(names)
        self._dims: dict[tuple[str, int], str] = {}
        self._factors: dict[str, int] = {}
        self._name()
        self._made = {name: found for name in self._results if (found := self._read(name))}
        self._factor()

    def inputs(self) -> dict[str, Found]:
        """Return the shape of each input that is present in at least one call."""
        texts = {name: self._terms(name) for name in self._inputs}
        return {name: Found(" ".join(text), self._varied(name)) for name, text in texts.items()}

    def results(self) -> dict[str, Found]:
        """Return the shape of each result whose formula is the same in all calls."""
        return self._made

    def names(self, call: Call) -> dict[str, int | list[int]]:
        """Return the value that each dim or group name of the inputs has in a call."""
        values: dict[str, int | list[int]] = {}
        for name in self._inputs:
            shape = call.shapes.get(name)
            if shape is None:
                continue
            tail = self._tails[name]
            if name in self._groups:
                values.setdefault(self._groups[name], list(shape[: len(shape) - tail]))
            for back in range(1, tail + 1):
                dim = self._dims[name, back]
                values.setdefault(dim, shape[-back] // self._factors.get(dim, 1))
        return values

    def _read(self, name: str) -> Found | None:
        calls = [each for each in self._learned if each.shapes.get(name) is not None]
        terms = self._result(name, calls) if calls else None
        if terms is None:
            return None
        different = {str(sorted(self.names(each).items())) for each in calls}
        return Found(" ".join(terms), len(different) > 1 and not self._is_ambiguous(terms, calls))

    def _is_ambiguous(self, terms: Sequence[str], calls: Sequence[Call]) -> bool:
        """Return True if another name has the same values as one of `terms` in all calls."""
        scopes = [{**self.names(each), **each.numbers} for each in calls]
        for term in terms:
            values = [scope.get(term) for scope in scopes]
            if term in scopes[0] and any(
                other != term and [scope.get(other) for scope in scopes] == values
                for other in scopes[0]
            ):
                return True
        return False

    def _factor(self) -> None:
        """If a result has size `n//2`, name this size `n` instead, and the input's size `2*n`."""
        terms = [term for found in self._made.values() for term in found.text.split()]
        for dim in dict.fromkeys(self._dims.values()):
            uses = {term for term in terms if dim in names_in(parse_expr(term.lstrip("*")))}
            divided = {t.partition("//")[2] for t in uses if t.startswith(f"{dim}//")}
            if len(divided) != 1 or len(uses) != 1 or not (by := divided.pop()).isdigit():
                continue
            sizes = [self.names(call).get(dim) for call in self._calls]
            if dim in self._numbers or any(isinstance(s, int) and s % int(by) for s in sizes):
                continue
            self._factors[dim] = int(by)
            self._made = {
                name: Found(" ".join(dim if t in uses else t for t in f.text.split()), f.sure)
                for name, f in self._made.items()
            }

    def _present(self, name: str, *others: str) -> list[Call]:
        return [
            each
            for each in self._calls
            if all(each.shapes.get(n) is not None for n in (name, *others))
        ]

    def _shape(self, name: str, call: Call) -> Sizes:
        return call.shapes[name] or ()

    def _ranks(self, name: str) -> set[int]:
        return {len(self._shape(name, each)) for each in self._present(name)}

    def _varied(self, name: str) -> bool:
        """Return True if the tensor `name` has different shapes in two calls."""
        return len({self._shape(name, each) for each in self._present(name)}) > 1

    def _split(self, names: Sequence[str]) -> tuple[dict[str, int], dict[str, str]]:
        """Divide the dims of each tensor into a group of leading dims and named trailing dims.

        Return the number of named dims of each tensor, and the name of each tensor's group.
        """
        tails = {n: min(self._ranks(n)) if len(self._ranks(n)) == 1 else 0 for n in names}
        free = [n for n in names if len(self._ranks(n)) > 1]
        for a, b in itertools.permutations(free, 2):
            both = self._present(a, b)
            rest = {len(self._shape(a, c)) - self._common(a, b, c) for c in both}
            if rest and max(rest) <= min(self._ranks(a)) and max(rest) < max(self._ranks(a)):
                tails[a] = max(tails[a], *rest)
        for a, b in itertools.product(free, (n for n in names if n not in free)):
            both = self._present(a, b)
            for back in range(1, min(self._ranks(a)) + 1):
                if any(self._same(both, a, back, b, d) for d in range(1, tails[b] + 1)):
                    tails[a] = max(tails[a], back)
        groups: dict[str, str] = {}
        unused = [n for n in GROUPS if n not in self._taken]
        for name in free:
            for other, group in groups.items():
                both = self._present(name, other)
                if both and all(
                    self._lead(name, c, tails) == self._lead(other, c, tails) for c in both
                ):
                    groups[name] = group
                    break
            else:
                groups[name] = next(n for n in unused if n not in groups.values())
        return tails, groups

    def _lead(self, name: str, call: Call, tails: Mapping[str, int]) -> Sizes:
        shape = self._shape(name, call)
        return shape[: len(shape) - tails[name]]

    def _common(self, a: str, b: str, call: Call) -> int:
        """Return the number of leading sizes that two shapes have in common in a call."""
        pairs = zip(self._shape(a, call), self._shape(b, call))
        return len([*itertools.takewhile(lambda pair: pair[0] == pair[1], pairs)])

    def _same(self, calls: Sequence[Call], a: str, back: int, b: str, other: int) -> bool:
        return bool(calls) and all(
            self._shape(a, c)[-back] == self._shape(b, c)[-other] for c in calls
        )

    def _name(self) -> None:
        """Name the dims of inputs. Dims whose sizes are equal in every call get the same name."""
        unused = iter(n for n in self._spare() if n not in self._taken)
        for name in self._inputs:
            for back in range(self._tails[name], 0, -1):
                known = self._equal_number(name, back) or next(
                    (
                        dim
                        for (other, at), dim in self._dims.items()
                        if self._same(self._present(name, other), name, back, other, at)
                        and not (other == name and self._is_one(name, back))
                    ),
                    None,
                )
                self._dims[name, back] = known or next(unused)

    def _spare(self) -> Iterator[str]:
        yield from NAMES
        yield from (f"{letter}{n}" for n in itertools.count(1) for letter in NAMES)

    def _is_one(self, name: str, back: int) -> bool:
        return all(self._shape(name, c)[-back] == 1 for c in self._present(name))

    def _equal_number(self, name: str, back: int) -> str | None:
        """Return the integer argument that equals a size in every call, or None.

        The size is `shape[-back]` of the tensor `name`. An argument that has the same value in all
        calls does not count.
        """
        calls = self._present(name)
        for number in self._numbers:
            pairs = {(c.numbers.get(number), self._shape(name, c)[-back]) for c in calls}
            if len(pairs) > 1 and all(a == b for a, b in pairs):
                return number
        return None

    def _terms(self, name: str) -> list[str]:
        group = [f"*{self._groups[name]}"] if name in self._groups else []
        dims = [self._dims[name, back] for back in range(self._tails[name], 0, -1)]
        return group + [f"{self._factors[d]}*{d}" if d in self._factors else d for d in dims]

    def _result(self, name: str, calls: Sequence[Call]) -> list[str] | None:
        """Return the terms of a result's shape that are correct in all calls, or None."""
        known = [self.names(each) for each in calls]
        shapes = [self._shape(name, each) for each in calls]
        shortest = min(map(len, shapes))
        for group in (None, *dict.fromkeys(self._groups.values())):
            if group is None and len({*map(len, shapes)}) > 1:
                continue
            leads = [[] if group is None else values.get(group) for values in known]
            if any(
                not isinstance(lead, list) or list(shape[: len(lead)]) != lead
                for lead, shape in zip(leads, shapes)
            ):
                continue
            rests = [
                shape[len(lead) if isinstance(lead, list) else 0 :]
                for lead, shape in zip(leads, shapes)
            ]
            if len({*map(len, rests)}) > 1 or (group and not shortest and any(rests)):
                continue
            terms = [
                self._size([rest[n] for rest in rests], known, calls) for n in range(len(rests[0]))
            ]
            if None not in terms:
                return [*([f"*{group}"] if group else []), *(t for t in terms if t is not None)]
        return None

    def _size(
        self,
        sizes: Sequence[int],
        known: Sequence[Mapping[str, int | list[int]]],
        calls: Sequence[Call],
    ) -> str | None:
        """Return the simplest expression that equals a result's size in all calls, or None."""
        scopes = [{**values, **call.numbers} for values, call in zip(known, calls)]
        names = [n for n in scopes[0] if all(isinstance(s.get(n), int) for s in scopes)]
        groups = [n for n in scopes[0] if all(isinstance(s.get(n), list) for s in scopes)]
        for text in _expressions(names, groups):
            if all(_value(text, scope) == size for scope, size in zip(scopes, sizes)):
                return text
        return str(sizes[0]) if len({*sizes}) == 1 and len(sizes) > 1 else None


def _expressions(names: Sequence[str], groups: Sequence[str]) -> Iterator[str]:
    """Yield possible expressions for a size, the simplest first. They contain no spaces."""
    yield from names
    for name, number in itertools.product(names, NUMBERS):
        yield from (f"{name}//{number}", f"{number}*{name}", f"ceildiv({name},{number})")
    for name, number in itertools.product(names, (1, 2, 3)):
        yield from (f"{name}+{number}", f"{name}-{number}")
    yield from (f"prod({group})" for group in groups)
    for a, b in itertools.permutations(names, 2):
        yield from (f"{a}//{b}", f"ceildiv({a},{b})", f"{a}-{b}", f"{a}-{b}+1")
    for a, b in itertools.combinations(names, 2):
        yield from (f"{a}*{b}", f"{a}+{b}", f"max({a},{b})", f"min({a},{b})")
    yield from (f"prod({g})*{n}" for g, n in itertools.product(groups, names))


def _value(text: str, scope: Mapping[str, object]) -> object:
    """Return the value of an expression, or None. `scope` maps names to their values."""
    try:
        return evaluate(parse_expr(text), scope)
    except ZeroDivisionError:
        return None
