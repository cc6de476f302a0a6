"""All rules with their documentation: the rules for reading specs, and the lint and diff rules."""

from __future__ import annotations

from opgen.source.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Entry:
    """A rule, as `opgen explain` prints it. The first line of `doc` describes the mistake."""

    id: str
    name: str
    doc: str


def entries() -> list[Entry]:
    """Return every rule, ordered by id."""
    from opgen.diff.rules import MODULES as DIFF_MODULES
    from opgen.diff.rules import OF_PROJECTS
    from opgen.ir.kinds import kinds
    from opgen.lint.registry import MODULES
    from opgen.lint.suppress import SUPPRESSION_RULES
    from opgen.source.parse_rules import READING_RULES

    of_kinds = (kind.rule for kind in kinds().values() if kind.rule is not None)
    found = [Entry(r.id, r.name, r.doc) for r in (*READING_RULES, *of_kinds, *SUPPRESSION_RULES)]
    found += [Entry(m.RULE.id, m.RULE.name, m.__doc__ or "") for m in MODULES]
    found += [Entry(m.RULE.id, m.RULE.name, m.__doc__ or "") for m in DIFF_MODULES]
    found += [Entry(rule.id, rule.name, doc) for rule, doc in OF_PROJECTS.items()]
    return sorted(found, key=lambda entry: entry.id)


def find(text: str) -> Entry | None:
    """Return the rule with the id or name `text`, ignoring case, or None if there is none."""
    wanted = text.casefold()
    known = entries()
    return next((e for e in known if wanted in (e.id.casefold(), e.name)), None)
