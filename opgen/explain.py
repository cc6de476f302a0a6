"""`opgen explain <op>`: the resolved IR of an op, for people."""

from __future__ import annotations

from opgen.facts import Section, remarks, sections
from opgen.ir import Op


def explain_op(op: Op) -> str:
    """Everything that opgen resolved about `op`, as aligned text."""
    lines = [f"{op.name} ({op.spec}): {op.doc}", *remarks(op)]
    for section in sections(op):
        lines += ["", section.title, *_table(section)]
    return "\n".join(lines) + "\n"


def _table(section: Section) -> list[str]:
    lines = []
    if section.rows:
        widths = [max(map(len, column)) for column in zip(*section.rows)]
        for row in section.rows:
            cells = (cell.ljust(width) for cell, width in zip(row, widths))
            lines.append("  " + "  ".join(cells).rstrip())
    return lines + [f"  {section.note}"] if section.note else lines
