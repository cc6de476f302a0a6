"""A file takes too many steps to check.

This rule counts the steps of reading and checking a file, which depend on expressions, derived
names, and combinations of options. The check stops at the op at which the count exceeds half a
million.

Why: checking a few lines can require more memory and time than any machine has. The number of
steps, unlike the time, is the same on every machine.

Example: 2000 ops that all inherit (`like`) from a template with 2000 inputs.

How to fix: move the ops into several files. Or use fewer derived names, and fewer options and
cases that depend on each other.
"""

from opgen.lint.dtype_table import DtypeTable
from opgen.lint.rule import Findings, OpContext, Project, Rule, Stage
from opgen.source.diagnostics import Where
from opgen.source.work import STEPS_AT_MOST, Work

RULE = Rule("OG110", "too-much-work", Stage.STRUCTURE, on=("project",))


def check(project: Project) -> Findings:
    """Yield a finding for each file in which reading stopped before the last op."""
    for spec in project.specs:
        unread = [name for name in spec.names("ops") if name not in spec.ops]
        if spec.work.left < 0 and unread:
            yield from _once(spec.work, Where(spec.file, ("ops", unread[0]), "key"), unread[0])


def stopped(subject: OpContext | DtypeTable) -> Findings:
    """Return a finding at the place where the check stopped, unless the file already has one."""
    yield from _once(subject.work, subject.at((), "key"), subject.name)


def _once(work: Work, where: Where, name: str) -> Findings:
    if not work.told:
        work.told = True
        message = f"to check this file up to `{name}` takes more than {STEPS_AT_MOST:,} steps"
        help = (
            "write its ops into several files, or give them fewer options, cases and names of names"
        )
        yield RULE.at(where, message, help)
