"""Render the ops for JAX: Python wrappers, gradients, and descriptions of kernels."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from opgen.ir.project import Family, Project, Whole
from opgen.targets import environment, framework_files
from opgen.targets.jax.views import view
from opgen.targets.python_format import import_from
from opgen.targets.target import OutputFile
from opgen.targets.vendored import vendored

FOLDER = Path(__file__).parent
TEMPLATES = FOLDER / "templates"


def family_outputs(project: Project, family: Family) -> Iterable[OutputFile]:
    """Yield a module of `jax/` for each op."""
    file = environment(TEMPLATES).get_template("op.py.j2")
    for op in family.ops:
        yield OutputFile(f"jax/_{op.name}.py", file.render(op=view(project, op)))
    yield from framework_files.copies(family, "jax")


def summary(project: Project, family: Family) -> dict[str, Any]:
    """Return the public names of a family: its ops, and the exports of its framework files."""
    ops = [op.name for op in family.ops if op.name not in family.stages]
    return {"ops": ops, "files": framework_files.offers(family, "jax")}


def shared_outputs(whole: Whole, summaries: Sequence[dict[str, Any]]) -> Iterable[OutputFile]:
    """Yield the files of `jax/` and `_opgen/jax/` that all families share."""
    ops = sorted(op for found in summaries for op in found["ops"])
    files = framework_files.merged([found["files"] for found in summaries])
    own = files.get("", {})
    text = environment(TEMPLATES).get_template("package.py.j2")
    package = text.render(
        imports=[import_from(f"._{op}", [op]) for op in ops],
        files=framework_files.imports(own),
        names=sorted([*ops, *(name for names in own.values() for name in names)]),
    )
    yield OutputFile("jax/__init__.py", package)
    yield from framework_files.libraries("jax", files)
    yield from vendored(whole, "jax")
