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
    """The identity of a rule. `id` is stable and never reused, `name` is kebab-case.

    A rule's module holds the rule as `RULE`, next to its documentation (the module's docstring).
    The function `check(subject)` of the module yields diagnostics. `on` lists what the rule checks:
    each op, each file's dtype table, or the whole project.

    If an op does not fit the models, rules with `remains` still check its valid parts.

    If a rule is `overrulable`, its finding is most likely a mistake, but the op still has a
    meaning. So later stages check the op, and the author may suppress the finding.
    """

    id: str
    name: str
    stage: Stage
    on: tuple[Literal["op", "dtypes", "project", "remains"], ...] = ("op",)
    severity: Severity = Severity.ERROR
    overrulable: bool = False

    @property
    def stops(self) -> bool:
        """Return whether the op has no meaning after a finding of this rule, so that later stages
        skip it.
        """
        return self.severity is Severity.ERROR and not self.overrulable

    def at(self, where: Where, message: str, help: str = "") -> Diagnostic:
        """Return a finding of this rule."""
        return Diagnostic(self.id, self.name, message, where, help, self.severity)
