"""Compatibility checks: find changes to specs that break programs which use the ops.

Such a change is called a break. opgen compares the ops that the specs define, not the text of the
specs. So a different way to write the same op is not a break. A project can accept a break, and
must then give a reason.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from opgen.diff.rule import Break, Rule
from opgen.diff.rules import MODULES, NAMESPACE, OP_REMOVED, PACKAGE
from opgen.ir.op import Op
from opgen.ir.project import Project
from opgen.source.diagnostics import Diagnostic, Severity, Where
from opgen.source.frozen import dataclass

__all__ = ["Accepted", "Break", "Rule", "compare", "diagnostics"]


# Stands for the name of an op, if a break affects all ops.
EVERY = "*"


@dataclass(frozen=True, slots=True)
class Accepted:
    """An entry of `[[tool.opgen.accepted_break]]`: a break of `op` that the project accepts."""

    rule: str
    op: str
    reason: str

    def covers(self, found: Break) -> bool:
        return self.op == found.op and self.rule in (found.rule.id, found.rule.name)


def compare(old: Project, new: Project) -> list[Break]:
    """Return all breaking changes between the projects `old` and `new`, sorted by rule and op."""
    now = {op.name: op for op in new.ops}
    found: list[Break] = []
    for rule, was, name in (
        (NAMESPACE, old.namespace, new.namespace),
        (PACKAGE, old.package, new.package),
    ):
        if was != name:
            message = f"the {rule.name} was `{was}`, and is `{name}`"
            found.append(Break(rule, EVERY, message, (rule.name,)))
    for before in old.ops:
        if before.name not in now:
            message = f"the op `{before.name}` is gone"
            found.append(Break(OP_REMOVED, before.name, message))
        else:
            found += _breaks(before, now[before.name])
    return sorted(found, key=lambda b: (b.rule.id, b.op))


def _breaks(old: Op, new: Op) -> Iterable[Break]:
    for module in MODULES:
        for path, message in module.check(old, new):
            yield Break(module.RULE, new.name, message, path)


def diagnostics(
    found: Iterable[Break],
    accepted: Sequence[Accepted],
    files: Mapping[str, str],
    configuration: str,
) -> list[Diagnostic]:
    """Return the breaks that are not accepted, as findings at the affected ops.

    `files` maps each op to its spec file. `configuration` is the file that contains the `accepted`
    entries. The result also has a warning for each entry that matches no break.
    """
    found = list(found)
    open_breaks = [b for b in found if not any(a.covers(b) for a in accepted)]
    reports = [_diagnostic(b, files, configuration) for b in open_breaks]
    for n, entry in enumerate(accepted):
        if not any(entry.covers(b) for b in found):
            where = Where(configuration, ("tool", "opgen", "accepted_break", n))
            message = f"no {entry.rule} of `{entry.op}` is there to accept"
            reports.append(
                Diagnostic(
                    "OG900", "unused-accepted-break", message, where, "drop it", Severity.WARNING
                )
            )
    return reports


def _diagnostic(found: Break, files: Mapping[str, str], configuration: str) -> Diagnostic:
    message = f"{found.rule.category}: {found.message}"
    where = Where(configuration, ("tool", "opgen"), "key")
    help = "keep it, or accept it: [[tool.opgen.accepted_break]]"
    if found.op == EVERY:
        where = Where(configuration, ("tool", "opgen", *found.path))
        help = 'keep it, or accept it: [[tool.opgen.accepted_break]] with `op = "*"`'
    elif found.op in files:
        where = Where(files[found.op], ("ops", found.op, *found.path), "key")
    return Diagnostic(found.rule.id, found.rule.name, message, where, help)
