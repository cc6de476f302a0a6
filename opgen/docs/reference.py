"""The reference of the spec language: all keys of all tables, as one page or one key at a time."""

from __future__ import annotations

from opgen.language.dtypes import DTYPES
from opgen.spec.extensions import extensions
from opgen.spec.keys import TABLES, Key, keys
from opgen.spec.models.document import MODELS

_HEAD = """\
# The keys of a spec

This page lists the keys of each table of a spec, with their values and an example.
[The spec language](spec-language.md) explains how they work together. `opgen explain KEY` prints one key, and
`opgen explain TABLE.KEY` prints the key of one table. `opgen reference` writes this page from the models that
validate specs.

If a value may be *cases*, it may also be a table from conditions to values: `{ "causal" = "a", else = "b" }`. The
value `false` removes a table, or an entry of a table, that the op has inherited with `like`.
"""


def find(text: str) -> list[Key]:
    """Return the keys called `text` in all tables, or in one table if `text` is `table.key`."""
    *above, name = text.split(".")
    table = above[-1] if above else None
    return [
        key
        for key in keys()
        if key.name == name and (table is None or table in (key.roles or TABLES[key.model][0]))
    ]


def text_of(key: Key) -> str:
    """Return the text that `opgen explain` prints for a key."""
    where = _listed(key.roles) if key.roles else TABLES[key.model][1].replace("`", "")
    lines = [f"{key.name} (of {where}): {key.type}", "", key.doc, ""]
    return "\n".join([*lines, *(f"    {line}" for line in key.examples)]) + "\n"


def reference() -> str:
    """Return the reference of all keys as one page, in Markdown."""
    parts = [_HEAD]
    for model, (_, where) in TABLES.items():
        rows = [_row(key) for key in keys() if key.model == model]
        about = MODELS[model].about.strip()
        parts.append(
            f"## {where[0].upper()}{where[1:]}\n\n{about}\n\n"
            "| key | value | meaning | example |\n|---|---|---|---|\n" + "\n".join(rows) + "\n"
        )
    return "\n".join([*parts, _dtypes()])


# -- the page ----------------------------------------------------------------------------


def _row(key: Key) -> str:
    doc = f"*{_listed(key.roles)}.* {key.doc}" if key.roles else key.doc
    examples = "<br>".join(map(_code, key.examples))
    return _cells(f"`{key.name}`", key.type, doc, examples)


def _dtypes() -> str:
    targets = [each for each in extensions().values() if each.dtypes]
    rows = [
        _cells(
            f"`{d.name}`", str(d.code), str(d.bits), *(_code(t.dtypes.get(d.name)) for t in targets)
        )
        for d in DTYPES.values()
    ]
    head = _cells("dtype", "code", "bits", *(t.title for t in targets))
    head += f"\n|{'---|' * (3 + len(targets))}\n"
    about = (
        "Descriptors contain the code of a dtype. The last columns show its name in C++ and in each "
        "framework."
    )
    return f"## Dtypes\n\n{about}\n\n{head}" + "\n".join(rows) + "\n"


def _code(name: str | None) -> str:
    if name and "`" in name:  # surround the text with more backticks than it contains
        return f"`` {name} ``"
    return f"`{name}`" if name else "none"


def _cells(*cells: str) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def _listed(words: tuple[str, ...]) -> str:
    *others, last = words
    return f"{', '.join(others)} and {last}" if others else last
