"""The linter: everything that can be known about specs before anything is rendered.

One module in `rules/` is one rule: its docstring is its documentation, `RULE` its
identity, `check` its check. Rules run in stages, structure before names before meaning;
an op with an error in one stage does not enter the next, so that later rules may take
for granted what earlier ones found.
"""

from __future__ import annotations

from collections.abc import Mapping

from opgen.diagnostics import Diagnostic, Severity, unique
from opgen.lint.registry import MODULES
from opgen.lint.rule import Rule, Stage
from opgen.lint.subject import Project, Subject

__all__ = ["Rule", "Stage", "Subject", "lint"]


def lint(documents: Mapping[str, Mapping]) -> list[Diagnostic]:
    """What the rules say of the documents (path to parsed TOML) of specs that parsed."""
    project = Project(documents)
    found: list[Diagnostic] = []
    sound = project.subjects
    for stage in Stage:
        failed: set[Subject] = set()
        for module in MODULES:
            if module.RULE.stage is not stage:
                continue
            if module.RULE.whole:
                found += module.check(project)
                continue
            for subject in sound:
                findings = list(module.check(subject))
                found += findings
                if any(d.severity is Severity.ERROR for d in findings):
                    failed.add(subject)
        sound = tuple(s for s in sound if s not in failed)
    return unique(found)
