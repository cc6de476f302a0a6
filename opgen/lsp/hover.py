"""Hover: the documentation of the key, or the properties of the name, at the cursor."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from opgen.docs.explain import aligned, explain_op
from opgen.docs.reference import text_of
from opgen.ir.op import Op
from opgen.lsp.cursor import Cursor
from opgen.spec.keys import keys_at
from opgen.spec.tables import TENSOR_TABLES
from opgen.targets.op_summary import sections


def hover(cursor: Cursor, resolved: Callable[[str], Op | None]) -> str:
    """Return the hover text for the cursor, in Markdown. `resolved` returns an op by its name."""
    path = cursor.path
    found = (text_of(k) for k in keys_at(path[:-1]) if k.name == path[-1])
    pages = (page.partition("\n") for page in found if cursor.part == "key")
    parts = [f"```\n{head}\n```\n{rest}" for head, _, rest in pages]
    context = cursor.op
    if context is not None and (op := resolved(context.name)) is not None:
        name = cursor.word
        if path[2:3] and path[2] in TENSOR_TABLES and path[4:5] and cursor.part == "key":
            name = str(path[3])  # at a tensor's key, describe the tensor
        parts += _about(op, name)
        if name != op.name and not parts and (other := resolved(name)) is not None:
            op = other
        if name == op.name:
            parts += [f"```\n{explain_op(op)}```"]
    return "\n".join(parts)


def _about(op: Op, name: str) -> Iterator[str]:
    """Yield the rows about `name` from all tables that `opgen explain` prints for an op."""
    for section in sections(op):
        rows = [
            row
            for row in section.rows
            if row[0] == name or row[1].lstrip("*").startswith(f"{name}:")
        ]
        if rows:
            lines = "\n".join([section.title, *aligned(rows)])
            yield f"```\n{lines}\n```"
