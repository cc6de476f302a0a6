"""What a rule is."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import IntEnum

from opgen.diagnostics import Diagnostic, Severity, Where


class Stage(IntEnum):
    """When a rule runs: an op enters a stage only without errors in the earlier ones."""

    STRUCTURE = 1
    NAMES = 2
    MEANING = 3


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule's identity. `id` is stable and never reused, `name` is kebab-case.

    A rule module holds one as `RULE`, beside its documentation (the module's docstring)
    and its check: `check(subject)` looks at one op, or, with `whole = True`, `check(all)`
    at every document at once.
    """

    id: str
    name: str
    stage: Stage
    whole: bool = False
    severity: Severity = Severity.ERROR

    def at(self, where: Where, message: str, help: str = "") -> Diagnostic:
        """A finding of this rule."""
        return Diagnostic(self.id, self.name, message, where, help, self.severity)


Check = Callable[..., Iterable[Diagnostic]]
