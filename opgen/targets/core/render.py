"""The framework-free part: what a call of an op may look like, and its packed descriptor."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from opgen.ir.project import Family, Project, Whole
from opgen.language.dtypes import DTYPES
from opgen.spec.attr_types import FIELD_TYPES
from opgen.targets import environment
from opgen.targets.core.views import view
from opgen.targets.target import OutputFile

TEMPLATES = Path(__file__).parent / "templates"
RUNTIME = Path(__file__).parent / "runtime"


def family_outputs(project: Project, family: Family) -> Iterable[OutputFile]:
    """A module of `core/` for each op, and the spec's own functions in `reference/`."""
    module = environment(TEMPLATES).get_template("op.py.j2")
    for op in family.ops:
        yield OutputFile(f"core/_{op.name}.py", module.render(op=view(op)))
    for file, text in family.references:
        yield OutputFile(f"reference/{file}", text)


def shared_outputs(whole: Whole, summaries: Sequence[None]) -> Iterable[OutputFile]:
    """The packages, and what the modules of `core/` share."""
    templates = environment(TEMPLATES)
    yield OutputFile("py.typed", "")
    yield OutputFile("__init__.py", templates.get_template("package.py.j2").render(names=whole.ops))
    yield OutputFile(
        "core/__init__.py", templates.get_template("core.py.j2").render(names=sorted(whole.ops))
    )
    yield OutputFile(
        "core/_runtime.py",
        templates.get_template("runtime.py.j2").render(
            dtypes=list(DTYPES.values()), fields=list(FIELD_TYPES.values())
        ),
    )
    for file in sorted(RUNTIME.glob("*.py")):
        yield OutputFile(f"core/_{file.name}", file.read_text())
    yield OutputFile(
        "reference/__init__.py",
        '"""The reference functions of the specs, as their authors wrote them."""\n',
    )
