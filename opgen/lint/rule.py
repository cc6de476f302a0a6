"""The definition of a lint rule."""

from __future__ import annotations

from enum import IntEnum
from typing import Literal

from opgen.source.diagnostics import Diagnostic, Severity, Where
from opgen.source.frozen import dataclass


class Stage(IntEnum):
    """The stage of a rule: an op only enters a stage without errors in the earlier stages."""

    STRUCTURE = 1
    NAMES = 2
    TYPES = 3
    MEANING = 4


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule's identity. `id` is stable and never reused, `name` is kebab-case.

    A rule's module holds the rule as `RULE`, next to its documentation (the module's docstring).
    The module's function `check(subject)` yields diagnostics. `on` lists the rule's subjects: each
    op, each file's dtype table, or the project with every document at once.

    `remains` is the rest of an op that does not fit the models, for rules that check one text at a
    time.

    The finding of an `overrulable` rule is most likely a mistake, but the op still has a meaning.
    So later stages check the op, and the author may suppress the finding.
    """

    id: str
    name: str
    stage: Stage
    on: tuple[Literal["op", "dtypes", "project", "remains"], ...] = ("op",)
    severity: Severity = Severity.ERROR
    overrulable: bool = False

    @property
    def stops(self) -> bool:
        """Return whether the rule's findings leave an op without a meaning."""
        return self.severity is Severity.ERROR and not self.overrulable

    def at(self, where: Where, message: str, help: str = "") -> Diagnostic:
        """Return a finding of this rule."""
        return Diagnostic(self.id, self.name, message, where, help, self.severity)
