"""`like` leads back to where it began.

What it does: follows `like` from every op and template.

Why: what takes over from itself has no beginning.

Example:

    [templates.a]
    like = "b"

    [templates.b]
    like = "a"

How to fix: let one of them stand on its own.
"""

from collections.abc import Iterator

from opgen.lint.op_context import Project
from opgen.lint.rule import Rule, Stage
from opgen.source.diagnostics import Diagnostic, Where
from opgen.spec.inheritance import parents

RULE = Rule("OG103", "like-circle", Stage.STRUCTURE, on=("project",))


def check(project: Project) -> Iterator[Diagnostic]:
    for file, document in project.documents.items():
        told: set[str] = set()
        for section in ("templates", "ops"):
            for name, table in document.get(section, {}).items():
                if "like" not in table:
                    continue
                chain = parents(document, section, name)
                last, end = chain[-1]
                around = [n for _, n in chain]
                if document[last][end].get("like") in around and name not in told:
                    told |= {*around}
                    path = " -> ".join(around + [document[last][end]["like"]])  # fmt: skip
                    yield RULE.at(
                        Where(file, (section, name, "like")),
                        f"`like` goes round in a circle: {path}",
                        "let one of them stand on its own",
                    )
