"""A chain of `like` is circular or too long.

This rule follows `like` from every op and template, through at most 16 others.

Why: a circular chain does not define any keys, and a long chain is hard to follow.

Example:

    [templates.a]
    like = "b"

    [templates.b]
    like = "a"

How to fix: remove `like` from one of the ops or templates in the chain.
"""

from opgen.lint.rule import Findings, Project, Rule, Stage
from opgen.source.diagnostics import Where
from opgen.spec.inheritance import DEEPEST

RULE = Rule("OG103", "like-circle", Stage.STRUCTURE, on=("project",))


def check(project: Project) -> Findings:
    for spec in project.specs:
        told: set[str] = set()
        far = False
        for section, name in spec.likes:
            chain = spec.parents(section, name)
            around = [n for _, n in chain]
            last = spec.likes.get(chain[-1])
            if last is not None and len(chain) > DEEPEST + 1 and not far:
                far = True
                yield RULE.at(
                    Where(spec.file, (section, name, "like")),
                    f"`like` leads from `{name}` through more than {DEEPEST} ops and templates",
                    "let it take over from one that is nearer to the end",
                )
            elif last in around and name not in told:
                told |= {*around}
                path = " -> ".join([*around, last])
                yield RULE.at(
                    Where(spec.file, (section, name, "like")),
                    f"`like` goes round in a circle: {path}",
                    "let one of them stand on its own",
                )
