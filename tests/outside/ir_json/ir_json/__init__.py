"""A target of another package: the IR of each op as JSON."""

from opgen.spec.extensions import Extension

EXTENSION = Extension(title="JSON", models="ir_json.models", lint="ir_json.lint", together=True)


def outputs(project):
    """A file for each op."""
    from ir_json.render import text_of_op
    from opgen.targets.target import OutputFile

    for op in project.ops:
        name = op.options["ir_json"]["file"] or op.name
        yield OutputFile(f"ir_json/{name}.json", text_of_op(op))
