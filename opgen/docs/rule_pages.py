"""Render a Markdown page for each rule, with the text of `opgen explain`, and an index page."""

from __future__ import annotations

import re

from opgen.docs.rule_index import Entry, entries

# The subjects of rules, by the first digit of the number in the rule's id.
GROUPS = {
    "0": "Reading and suppressing",
    "1": "Ops, `like` and the syntax of expressions",
    "2": "Names and types",
    "3": "Tensors, attrs, cases and sizes",
    "4": "Gradients",
    "5": "Sharding",
    "6": "Kernels, descriptors and options",
    "8": "Rules of one target",
    "9": "Changes that break callers (`opgen diff`)",
}
# For Sphinx: the sidebar does not list these pages, because the index page links to them.
ORPHAN = "---\norphan: true\n---\n\n"


def rule_pages() -> dict[str, str]:
    """Return the text of each page by file name: `<ID>.md` for each rule, and `index.md`."""
    rules = entries()
    return {"index.md": _index(rules), **{f"{rule.id}.md": page(rule) for rule in rules}}


def page(rule: Entry) -> str:
    """Return the page of a rule. Indented blocks in the rule's text become TOML code blocks."""
    title, _, text = rule.doc.strip().partition("\n")
    command = f"`opgen explain {rule.id}` prints this page."
    return f"{ORPHAN}# {rule.id} {rule.name}\n\n{title}\n\n{_fenced(text.strip())}\n\n{command}\n"


def _fenced(text: str) -> str:
    """Return `text` with indented blocks as fenced TOML blocks. Lists stay unchanged."""
    parts: list[str] = []
    for block in re.split(r"\n\n(?=\S)", text):
        head, gap, code = block.partition("\n\n    ")
        if gap:
            lines = ("    " + code).splitlines()
            body = "\n".join(line.removeprefix("    ") for line in lines)
            head += f"\n\n```toml\n{body}\n```"
        parts.append(re.sub(r"^(Why|Example|How to fix):", r"**\1:**", head))
    return "\n\n".join(parts)


def _index(rules: list[Entry]) -> str:
    parts = [
        "# Errors and warnings: every rule\n\nEvery finding of `opgen lint` and `opgen diff` begins "
        "with the id of a rule. "
        "Each has a page,\nwhich `opgen explain ID` prints as well.\n"
    ]
    for digit, title in GROUPS.items():
        rows = [r for r in rules if r.id[2] == digit]
        if rows:
            parts.append(f"## {title}\n\n| rule | name | what is wrong |\n|---|---|---|")
            parts += [f"| [{r.id}]({r.id}.md) | {r.name} | {_cell(r)} |" for r in rows]
            parts[-1] += "\n"
    return "\n".join(parts)


def _cell(rule: Entry) -> str:
    return rule.doc.strip().split("\n")[0].replace("|", "\\|")
