"""The text of `opgen explain OP`: everything that opgen knows about an op."""

from __future__ import annotations

from collections.abc import Sequence

from opgen.ir.op import Op
from opgen.targets.op_summary import Section, remarks, sections


def explain_op(op: Op) -> str:
    """Return all properties of `op` as aligned text, including those that opgen derives."""
    lines = [f"{op.name} ({op.spec}): {op.doc}", *remarks(op)]
    for section in sections(op):
        lines += ["", section.title, *_table(section)]
    return "\n".join(lines) + "\n"


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return a line of text for each row of cells, with the cells aligned in columns."""
    widths = [max(map(len, column)) for column in zip(*rows)]
    padded = ((c.ljust(w) for c, w in zip(row, widths)) for row in rows)
    return ["  " + "  ".join(cells).rstrip() for cells in padded]


def _table(section: Section) -> list[str]:
    lines = aligned(section.rows)
    return lines + [f"  {section.note}"] if section.note else lines
