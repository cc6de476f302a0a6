"""The linter checks everything in specs that can be checked before rendering.

Each module in `rules/`, or in the `lint/` folder of a target, defines one rule. The module's
docstring documents the rule, `RULE` has its id and name, and `check` yields its findings.

Rules run in four stages: structure, names, types, meaning. If a rule of one stage finds an error in
an op, the rules of later stages skip this op. So a rule may rely on everything that earlier stages
check.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import attrgetter
from types import ModuleType
from typing import TypeVar

from opgen.lint.dtype_table import DtypeTable
from opgen.lint.op_context import OpContext, Project
from opgen.lint.registry import MODULES
from opgen.lint.rule import Rule, Stage
from opgen.lint.rules.too_much_work import stopped
from opgen.source.diagnostics import Diagnostic, unique
from opgen.source.work import TooMuchWork, spend
from opgen.spec.spec import Spec

__all__ = ["MODULES", "Rule", "Stage", "OpContext", "lint"]

# The steps of work (`opgen.source.work`) that count for running a rule, and for each finding.
_A_RULE, _A_FINDING = 2, 100
S = TypeVar("S", OpContext, DtypeTable)


def lint(specs: Sequence[Spec], elsewhere: frozenset[str] = frozenset()) -> list[Diagnostic]:
    """Run all rules on parsed specs. For an op that is only partly valid, check the valid parts.

    `elsewhere` has the names of the ops in those specs of the project that are not in `specs`.
    """
    project = Project(specs, elsewhere)
    remains = Project([spec.remains for spec in specs if spec.remains])
    found: list[Diagnostic] = []
    tables = list(project.tables.values())
    for stage in Stage:
        tables = _run(_rules(stage, "dtypes"), tables, found)
    sound = list(project.subjects)
    for stage in Stage:
        if stage is Stage.TYPES:
            unsound = {*project.tables.values()} - {*tables}
            sound = [s for s in sound if s.table not in unsound]
        for module in _rules(stage, "project"):
            findings = list(module.check(project))
            found += findings
            blamed = {(d.where.file, *d.where.path[:2]) for d in findings if module.RULE.stops}
            sound = [s for s in sound if (s.file, "ops", s.name) not in blamed]
        sound = _run(_rules(stage, "op"), sound, found)
        project.failed.update({*project.subjects} - {*sound})
    for stage in Stage:
        _run(_rules(stage, "remains"), remains.subjects, found)
    return unique(found)


def _rules(stage: Stage, on: str) -> list[ModuleType]:
    return [m for m in MODULES if m.RULE.stage is stage and on in m.RULE.on]


def _run(rules: Iterable[ModuleType], subjects: Sequence[S], found: list[Diagnostic]) -> list[S]:
    """Run `rules` on `subjects` (ops, dtype tables or projects). Add the findings of each rule to
    `found`.

    Return the subjects in which no rule found an error. All rules check one subject before the
    next, because the subject is then in the processor's cache.
    """
    checks = [(module.check, module.RULE.stops) for module in rules]
    sound, findings = list[S](), list[Diagnostic]()
    for subject in subjects:
        work, failed, halted = subject.work, False, False
        with work:
            for check, stops in checks:
                if work.left < 0:
                    failed = True
                    break
                try:
                    spend(_A_RULE)
                    for finding in check(subject):
                        spend(_A_FINDING)
                        findings.append(finding)
                        failed |= stops
                except (TooMuchWork, RecursionError):
                    failed = halted = True
        if halted:
            findings += stopped(subject)
        if not failed:
            sound.append(subject)
    found += sorted(findings, key=attrgetter("rule"))
    return sound
