"""`opgen explain <op>`: the resolved IR of an op, for people."""

from __future__ import annotations

from collections.abc import Sequence

from opgen.ir.op import Op
from opgen.targets.op_summary import Section, remarks, sections


def explain_op(op: Op) -> str:
    """Return everything that opgen resolved about `op`, as aligned text."""
    lines = [f"{op.name} ({op.spec}): {op.doc}", *remarks(op)]
    for section in sections(op):
        lines += ["", section.title, *_table(section)]
    return "\n".join(lines) + "\n"


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return rows of cells as lines with aligned columns."""
    widths = [max(map(len, column)) for column in zip(*rows)]
    padded = ((c.ljust(w) for c, w in zip(row, widths)) for row in rows)
    return ["  " + "  ".join(cells).rstrip() for cells in padded]


def _table(section: Section) -> list[str]:
    lines = aligned(section.rows)
    return lines + [f"  {section.note}"] if section.note else lines
