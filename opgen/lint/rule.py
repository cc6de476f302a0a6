"""The definition of a lint rule, with the types that every rule needs."""

from collections.abc import Iterator
from enum import IntEnum
from typing import Literal

from opgen.lint.op_context import OpContext, Project
from opgen.source.diagnostics import Diagnostic, Severity, Where
from opgen.source.frozen import dataclass

__all__ = ["Findings", "OpContext", "Project", "Rule", "Stage"]

Findings = Iterator[Diagnostic]


class Stage(IntEnum):
    """The stage in which a rule runs. A rule skips ops that have errors of an earlier stage."""

    STRUCTURE = 1
    NAMES = 2
    TYPES = 3
    MEANING = 4


@dataclass(frozen=True, slots=True)
class Rule:
    """The id, name and properties of a rule. An `id` is never reused; a `name` is kebab-case.

    Each rule has its own module. The module has the rule as `RULE`, documents it in its docstring,
    and yields the findings from `check(subject)`. The subjects depend on `on`: each op, the dtype
    table of each file, or the whole project. If `on` has "remains", the rule also checks the valid
    parts of ops that are only partly valid.

    A rule is `overrulable` if opgen can still render an op with a finding of the rule. Later stages
    then check the op, and the author may suppress the finding.
    """

    id: str
    name: str
    stage: Stage
    on: tuple[Literal["op", "dtypes", "project", "remains"], ...] = ("op",)
    severity: Severity = Severity.ERROR
    overrulable: bool = False

    @property
    def stops(self) -> bool:
        """Return whether later stages skip an op in which this rule has found an error."""
        return self.severity is Severity.ERROR and not self.overrulable

    def at(self, where: Where, message: str, help: str = "") -> Diagnostic:
        """Return a finding of this rule at the location `where`."""
        return Diagnostic(self.id, self.name, message, where, help, self.severity)
