"""The ops for JAX: their Python faces, gradients, and what they say of their kernels."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from opgen.dtypes import DTYPES
from opgen.ir import Project
from opgen.layout_hash import layout_hash
from opgen.render import OutputFile
from opgen.targets import environment
from opgen.targets.jax.views import view

FOLDER = Path(__file__).parent


def outputs(project: Project) -> Iterable[OutputFile]:
    """`jax/` with one module per op, and `jax/_runtime/` with what they share."""
    templates = environment(FOLDER / "templates")
    package = templates.get_template("package.py.j2")
    names = sorted(op.name for op in project.ops)
    yield OutputFile("jax/__init__.py", package.render(names=names))
    library = templates.get_template("library.py.j2")
    yield OutputFile(
        "jax/_runtime/library.py",
        library.render(namespace=project.namespace, hash=layout_hash(project)),
    )
    dtypes = [d for d in DTYPES.values() if d.jax]
    table = templates.get_template("dtypes.py.j2")
    yield OutputFile(
        "jax/_runtime/dtypes.py",
        table.render(
            dtypes=[(d.name, d.jax.rstrip("_")) for d in dtypes],
            codes=[(d.name, d.code) for d in dtypes],
        ),
    )
    for file in sorted((FOLDER / "runtime").glob("*.py")):
        yield OutputFile(f"jax/_runtime/{file.name}", file.read_text())
    module = templates.get_template("op.py.j2")
    for op in project.ops:
        yield OutputFile(f"jax/_{op.name}.py", module.render(op=view(project, op)))
