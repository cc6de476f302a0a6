"""`like` names neither an op nor a template of the file.

This rule looks up every `like` among the file's templates and ops.

Why: the op would lack all keys that it should inherit.

Example:

    [ops.rms_norm]
    like = "rmss"

How to fix: correct the name, or add a table `[templates.<name>]` to the same file.
"""

from opgen.lint.rule import Findings, Project, Rule, Stage
from opgen.source.diagnostics import Where, did_you_mean

RULE = Rule("OG102", "unknown-like", Stage.STRUCTURE, on=("project",))


def check(project: Project) -> Findings:
    for spec in project.specs:
        known = dict.fromkeys([*spec.names("templates"), *spec.names("ops")])
        for (section, name), like in spec.likes.items():
            if like in known or like in project.broken:
                continue
            yield RULE.at(
                Where(spec.file, (section, name, "like")),
                f"`like` names `{like}`, which is neither an op nor a template",
                did_you_mean(like, [k for k in known if k != name]),
            )
