"""The framework-free part: what a call of an op may look like, and its packed descriptor."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from opgen.ir.project import Family, Project, Whole
from opgen.language.dtypes import DTYPES
from opgen.language.names import camel
from opgen.spec.attr_types import FIELD_TYPES
from opgen.targets import environment
from opgen.targets.core.views import view
from opgen.targets.target import OutputFile

# A member of a bundle, what it holds, and whether it may be left out.
Field = tuple[str, str, bool]
TEMPLATES = Path(__file__).parent / "templates"
RUNTIME = Path(__file__).parent / "runtime"


def family_outputs(project: Project, family: Family) -> Iterable[OutputFile]:
    """A module of `core/` for each op, and the spec's own functions in `reference/`."""
    module = environment(TEMPLATES).get_template("op.py.j2")
    for op in family.ops:
        yield OutputFile(f"core/_{op.name}.py", module.render(op=view(op)))
    for file, text in family.references:
        yield OutputFile(f"reference/{file}", text)


def summary(project: Project, family: Family) -> dict[str, tuple[Field, ...]]:
    """The fields of each bundle that the ops of a family take or give."""
    return {b.kind: b.fields for op in family.ops for b in op.bundles}


def shared_outputs(
    whole: Whole, summaries: Sequence[dict[str, tuple[Field, ...]]]
) -> Iterable[OutputFile]:
    """The packages, and what the modules of `core/` share."""
    templates = environment(TEMPLATES)
    yield OutputFile("py.typed", "")
    yield OutputFile("__init__.py", templates.get_template("package.py.j2").render(names=whole.ops))
    yield OutputFile(
        "core/__init__.py", templates.get_template("core.py.j2").render(names=sorted(whole.ops))
    )
    kinds = {kind: fields for found in summaries for kind, fields in found.items()}
    if kinds:
        bundles = [_bundle(kind, fields) for kind, fields in sorted(kinds.items())]
        text = templates.get_template("bundles.py.j2").render(bundles=bundles)
        yield OutputFile("bundles.py", text)
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


def _bundle(kind: str, fields: tuple[Field, ...]) -> dict[str, object]:
    """The class of a bundle."""
    lines = []
    for name, doc, default in fields:
        text = f"  # {doc.removesuffix('.')}" if doc else ""
        lines.append(f"{name}: Any{' = None' if default else ''}{text}")
    names = ", ".join(f"`{name}`" for name, _, _ in fields)
    return {"name": camel(kind), "doc": f"The bundle `{kind}`: {names}.", "lines": lines}
