"""Two ops are written to one file.

This rule compares the files of all ops: `ir_json.file`, or the op's name.

Why: the second would replace the first.

How to fix: give one of them another `ir_json.file`.
"""

from opgen.lint.rule import Rule, Stage

RULE = Rule("IJ001", "ir-json-shared-file", Stage.NAMES, on=("project",))


def check(project):
    owners = {}
    for op in project.subjects:
        file = op.spec.options["ir_json"]["file"] or op.name
        owner = owners.setdefault(file, op.name)
        if owner != op.name:
            message = f"`{owner}` is written to {file}.json too"
            yield RULE.at(op.at(("ir_json", "file")), message, "name another file")
