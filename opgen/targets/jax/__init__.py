"""The ops for JAX: their Python faces, gradients, and what they say of their kernels."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from opgen.dtypes import DTYPES
from opgen.ir import Family, Project, Whole
from opgen.render import OutputFile
from opgen.targets import environment
from opgen.targets.jax.views import view

FOLDER = Path(__file__).parent


def family_outputs(project: Project, family: Family) -> Iterable[OutputFile]:
    """A module of `jax/` for each op."""
    module = environment(FOLDER / "templates").get_template("op.py.j2")
    for op in family.ops:
        yield OutputFile(f"jax/_{op.name}.py", module.render(op=view(project, op)))


def shared_outputs(whole: Whole, summaries: Sequence[None]) -> Iterable[OutputFile]:
    """The package, and `jax/_runtime/` with what its modules share."""
    templates = environment(FOLDER / "templates")
    package = templates.get_template("package.py.j2")
    yield OutputFile("jax/__init__.py", package.render(names=sorted(whole.ops)))
    library = templates.get_template("library.py.j2")
    yield OutputFile(
        "jax/_runtime/library.py",
        library.render(namespace=whole.namespace, hash=whole.layout),
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
