"""The framework-free part: what a call of an op may look like, and its packed descriptor."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from opgen.dtypes import DTYPES
from opgen.ir import Project
from opgen.render import OutputFile
from opgen.targets import environment
from opgen.targets.core.config import has_nki
from opgen.targets.core.views import view

TEMPLATES = Path(__file__).parent / "templates"


def outputs(project: Project) -> Iterable[OutputFile]:
    """`core/` with one module per op, and `reference/` with the specs' own functions."""
    templates = environment(TEMPLATES)
    module = templates.get_template("op.py.j2")
    names = [op.name for op in project.ops]
    yield OutputFile(
        "__init__.py", templates.get_template("package.py.j2").render(names=names)
    )
    yield OutputFile(
        "core/__init__.py",
        templates.get_template("core.py.j2").render(names=sorted(names)),
    )
    yield OutputFile(
        "core/_runtime.py",
        templates.get_template("runtime.py.j2").render(dtypes=list(DTYPES.values())),
    )
    if has_nki(project):
        text = templates.get_template("config.py.j2").render(
            dtypes=[d for d in DTYPES.values() if d.jax]
        )
        yield OutputFile("core/_config.py", text)
    for op in project.ops:
        yield OutputFile(f"core/_{op.name}.py", module.render(op=view(op)))
    yield OutputFile(
        "reference/__init__.py",
        '"""The reference functions of the specs, as their authors wrote them."""\n',
    )
    for family in project.families:
        for file, text in family.references:
            yield OutputFile(f"reference/{file}", text)
