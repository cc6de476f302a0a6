"""Parse the autograd rule of an op: the text from which PyTorch learns the op's gradient.

`opgen` renders the text. The header `rule.h` of the autograd library explains each line.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import torch

from .formulas import Program, parse, parse_constant
from .kinds import holds_tensors

KEYS = (
    *("op", "case", "else", "constant", "residual", "autocast", "let", "require"),
    *("zero", "refuse", "call", "formula"),
)


@dataclass
class Operand:
    """One operand in a backward formula: a kind of value and its name, or a constant.

    `only_for` is a bit mask of the gradients that need this operand. 0 means all gradients.
    """

    kind: str
    name: str = ""
    value: Any = None
    only_for: int = 0


@dataclass
class Call:
    """A call of an op whose results are gradients of the arguments in `gradients`.

    None stands for a result that is not a gradient.
    """

    op: torch._ops.OpOverload
    operands: list[Operand]
    gradients: list[str | None]


@dataclass
class Formula:
    """A formula for the gradient of the argument `of`."""

    of: str
    program: Program
    operands: dict[str, Operand]


@dataclass
class Rule:
    """One case of an op's gradient."""

    # The op: its name and its overload.
    name: str
    op: torch._ops.OpOverload
    # Its arguments by name, and the names of its results.
    arguments: dict[str, torch.Argument]
    results: list[str]
    # The condition under which the case applies. None means always.
    holds: Program | None = None
    # How autocast casts inputs: "lower" means to the active dtype, another value to float32. None
    # means no cast.
    autocast: str | None = None
    # The results that have no gradient, and those that callers do not see.
    constant: set[str] = field(default_factory=set)
    residuals: set[str] = field(default_factory=set)
    # The reason in the error message if the gradient of a "refused" argument is requested.
    refusal: str = 'its spec says grad = "none"'
    # The kind of each argument's gradient: "zero", "refused", "call" or "formula".
    gradients: dict[str, str] = field(default_factory=dict)
    # Values that several formulas read, by name.
    lets: dict[str, Program] = field(default_factory=dict)
    # The requirements of the backward, with their texts.
    conditions: list[tuple[Program, str]] = field(default_factory=list)
    # The calls of backwards, and the formulas.
    calls: list[Call] = field(default_factory=list)
    formulas: list[Formula] = field(default_factory=list)
    scalars: dict[str, None] = field(default_factory=dict)  # attrs that the backward reads
    # The arguments and results that the backward reads.
    saved_arguments: dict[str, None] = field(default_factory=dict)
    saved_results: dict[str, None] = field(default_factory=dict)
    read_results: int = 0  # the results that the backward reads, as bits

    def __post_init__(self) -> None:
        self.tensors = [n for n, each in self.arguments.items() if holds_tensors(each)]
        self.written = {n for n, each in self.arguments.items() if each.is_write}

    @property
    def differentiable(self) -> bool:
        return any(kind != "refused" for kind in self.gradients.values())


def read(namespace: str, text: str) -> list[Rule]:
    """Return the rules of an op, one for each case of its gradient.

    Raises ValueError for a malformed text.
    """
    shared: list[str] = []
    cases: list[list[str]] = []
    for line in text.splitlines():
        if line.split(" ")[0] in ("case", "else"):
            cases.append([line])
        else:
            (cases[-1] if cases else shared).append(line)
    return [_Reader(namespace).rule([*shared, *case]) for case in cases or [[]]]


class _Reader:
    """Reads the lines of one rule. `rule.h` of the autograd library explains each line."""

    def __init__(self, namespace: str) -> None:
        self.namespace = namespace
        self.line = ""

    def rule(self, lines: Sequence[str]) -> Rule:
        for self.line in lines:
            key, *words = self.line.split()
            if key not in KEYS:
                self._fail("unknown line")
            getattr(self, f"_{key}")(words)
        return self._rule

    def _fail(self, message: str) -> Any:
        name = self._rule.name if hasattr(self, "_rule") else self.namespace
        raise ValueError(f"{name}: {message} in `{self.line}`")

    def _find(self, name: str) -> torch._ops.OpOverload:
        packet, _, overload = name.partition(".")
        found = getattr(getattr(torch.ops, self.namespace), packet, None)
        if found is None:
            self._fail(f"there is no op {packet}")
        op: torch._ops.OpOverload = getattr(found, overload or "default")
        return op

    def _op(self, words: Sequence[str]) -> None:
        op = self._find(words[0])
        arguments = {each.name: each for each in op._schema.arguments}
        self._rule = Rule(f"{self.namespace}.{words[0]}", op, arguments, [*words[2:]])
        if len(words) - 2 != len(op._schema.returns):
            self._fail("the schema has other results")

    def _case(self, words: Sequence[str]) -> None:
        self._rule.holds = self._of_arguments(words)

    def _else(self, words: Sequence[str]) -> None:
        pass

    def _constant(self, names: Sequence[str]) -> None:
        self._rule.constant |= {self._known(name, self._rule.results) for name in names}

    def _residual(self, names: Sequence[str]) -> None:
        self._rule.residuals |= {self._known(name, self._rule.results) for name in names}

    def _autocast(self, words: Sequence[str]) -> None:
        self._rule.autocast = words[0]

    def _let(self, words: Sequence[str]) -> None:
        self._rule.lets[words[0]] = self._of_arguments(words[1:])

    def _require(self, words: Sequence[str]) -> None:
        program = self._of_arguments(words[: words.index(":")])
        self._rule.conditions.append((program, self._after_colon()))

    def _zero(self, names: Sequence[str]) -> None:
        for name in names:
            self._gradient(name, "zero")

    def _refuse(self, words: Sequence[str]) -> None:
        if ":" in words:
            words = words[: words.index(":")]
            self._rule.refusal = self._after_colon()
        for name in words:
            self._gradient(name, "refused")

    def _call(self, words: Sequence[str]) -> None:
        arrow = words.index("->")
        op = self._find(words[0])
        results = [each.name for each in op._schema.returns]
        operands = []
        for word in words[1:arrow]:
            word, _, only = (word, "", "") if word[0] == "'" else word.partition("@")
            operands.append(self._operand(word))
            if only:
                places = (results.index(self._known(n, results)) for n in only.split(","))
                operands[-1].only_for = sum(1 << place for place in places)
        gradients = [None if word == "_" else word for word in words[arrow + 1 :]]
        for name in filter(None, gradients):
            self._gradient(name, "call")
        if len(operands) != len(op._schema.arguments):
            self._fail("wrong number of arguments")
        if len(gradients) != len(results):
            self._fail("wrong number of results")
        self._rule.calls.append(Call(op, operands, gradients))

    def _formula(self, words: Sequence[str]) -> None:
        self._gradient(words[0], "formula")
        program = parse(words[1:])
        operands = {word: self._operand(word) for kind, word in program if kind == "operand"}
        self._rule.formulas.append(Formula(words[0], program, operands))

    def _known(self, name: str, names: Any) -> str:
        return name if name in names else self._fail(f"unknown name `{name}`")

    def _after_colon(self) -> str:
        return self.line.partition(" : ")[2]

    def _of_arguments(self, words: Sequence[str]) -> Program:
        program = parse(words)
        for kind, word in program:
            if kind == "operand":
                if not word.startswith("input:"):
                    self._fail(f"unknown word `{word}`")
                self._known(word[6:], self._rule.arguments)
        return program

    def _gradient(self, name: str, kind: str) -> None:
        rule = self._rule
        if self._known(name, rule.arguments) not in rule.tensors or name in rule.gradients:
            self._fail(f"`{name}` cannot have this gradient")
        rule.gradients[name] = kind

    def _operand(self, word: str) -> Operand:
        rule = self._rule
        if word in ("needed", "wanted"):
            return Operand(word)
        if constant := parse_constant(word):
            return Operand("constant", value=constant[0])
        kind, _, name = word.partition(":")
        if kind == "let":
            self._known(name, rule.lets)
        elif kind == "input":
            saved = rule.saved_arguments if name in rule.tensors else rule.scalars
            saved[self._known(name, rule.arguments)] = None
        elif kind in ("result", "cotangent", "cotangent?"):
            place = rule.results.index(self._known(name, rule.results))
            if kind == "result":
                rule.saved_results[name] = None
            if kind != "cotangent?":
                rule.read_results |= 1 << place
        else:
            self._fail(f"unknown word `{word}`")
        return Operand(kind, name)
