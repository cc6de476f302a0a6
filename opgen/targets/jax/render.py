"""The ops for JAX: their Python wrappers, gradients, and what they say of their kernels."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from opgen.ir.project import Family, Project, Whole
from opgen.language.dtypes import DTYPES
from opgen.targets import environment
from opgen.targets.jax import JAX_NAMES
from opgen.targets.jax.optimizers import optimizer_name
from opgen.targets.jax.views import view
from opgen.targets.python_format import import_from
from opgen.targets.target import OutputFile

FOLDER = Path(__file__).parent


def family_outputs(project: Project, family: Family) -> Iterable[OutputFile]:
    """A module of `jax/` for each op."""
    module = environment(FOLDER / "templates").get_template("op.py.j2")
    for op in family.ops:
        yield OutputFile(f"jax/_{op.name}.py", module.render(op=view(project, op)))


def summary(project: Project, family: Family) -> dict[str, list[str]]:
    """What each module of `jax/` offers: the op, and its optimizer; of stages nothing."""
    return {
        op.name: [op.name, *filter(None, [optimizer_name(op)])]
        for op in family.ops
        if op.name not in family.stages
    }


def shared_outputs(whole: Whole, summaries: Sequence[dict[str, list[str]]]) -> Iterable[OutputFile]:
    """The package, and `jax/_runtime/` with what its modules share."""
    templates = environment(FOLDER / "templates")
    wrappers = {op: names for found in summaries for op, names in found.items()}
    package = templates.get_template("package.py.j2").render(
        imports=[import_from(f"._{op}", wrappers[op]) for op in sorted(wrappers)],
        names=sorted(name for names in wrappers.values() for name in names),
    )
    yield OutputFile("jax/__init__.py", package)
    library = templates.get_template("library.py.j2")
    yield OutputFile(
        "jax/_runtime/library.py", library.render(namespace=whole.namespace, hash=whole.layout)
    )
    dtypes = [DTYPES[name] for name in JAX_NAMES]
    table = templates.get_template("dtypes.py.j2")
    yield OutputFile(
        "jax/_runtime/dtypes.py",
        table.render(
            dtypes=[(d.name, d.numpy) for d in dtypes], codes=[(d.name, d.code) for d in dtypes]
        ),
    )
    for file in sorted((FOLDER / "runtime").glob("*.py")):
        yield OutputFile(f"jax/_runtime/{file.name}", file.read_text())
