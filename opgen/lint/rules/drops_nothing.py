"""`false` removes, or `order` names, an entry that does not exist.

This rule checks that an op uses `false` only for entries that it inherits by `like`. Every
name in an `order` must be an entry of the same table.

Why: a misspelt name would silently change nothing.

Example:

    [ops.rotary_]
    like           = "rotary"
    inputs.qq      = false

How to fix: correct the name.
"""

from opgen.lint.rule import Findings, Project, Rule, Stage
from opgen.source.diagnostics import Where, did_you_mean

RULE = Rule("OG108", "drops-nothing", Stage.STRUCTURE, on=("project",), overrulable=True)


def check(project: Project) -> Findings:
    for spec in project.specs:
        for path, drops, name, known in spec.idle():
            message = f"`order` names `{name}`, which is not in the table"
            if drops:
                message = f"`{name} = false` drops nothing: there is no `{name}` to take over"
            where = Where(spec.file, path, "key" if drops else "value")
            yield RULE.at(where, message, did_you_mean(name, known))
