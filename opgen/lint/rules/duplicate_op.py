"""Two specs define ops with the same name.

This rule compares the op names of all files. It also compares the C++ names of the ops: both
`a_1` and `a1` become `A1`. It also compares templates with the ops of the same file.

Why: opgen renders every op as one function of the package, one entry of the library and one
struct.

Example: `[ops.relu]` in both relu.toml and activations.toml.

How to fix: rename one of them.
"""

from opgen.language.names import camel
from opgen.lint.rule import Findings, Project, Rule, Stage
from opgen.source.diagnostics import Where

RULE = Rule("OG107", "duplicate-op", Stage.STRUCTURE, on=("project",))


def check(project: Project) -> Findings:
    first: dict[str, str] = {}
    alike: dict[str, str] = {}
    for spec in project.specs:
        templates = {*spec.names("templates")}
        for name in spec.names("ops"):
            where = Where(spec.file, ("ops", name), "key")
            if name in templates:
                message = f"`{name}` is a template and an op"
                yield RULE.at(where, message, "they share one namespace: rename one")
            other = alike.setdefault(name.replace("_", ""), name)
            if name in first:
                message = f"the op `{name}` is also defined in {first[name]}"
                yield RULE.at(where, message, "rename one of them")
            elif other != name and camel(other) == camel(name):
                message = f"`{name}` and `{other}` are both `{camel(name)}` in C++"
                yield RULE.at(where, message, "rename one of them")
            first.setdefault(name, spec.file)
