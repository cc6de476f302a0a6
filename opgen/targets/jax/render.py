"""The ops for JAX: their Python wrappers, gradients, and the facts of their kernels."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from opgen.ir.project import Family, Project, Whole
from opgen.targets import environment, framework_files
from opgen.targets.jax.library_module import TITLES, module_name
from opgen.targets.jax.modules import LIBRARIES, module
from opgen.targets.jax.views import view
from opgen.targets.python_format import import_from
from opgen.targets.target import OutputFile
from opgen.targets.vendored import vendored

FOLDER = Path(__file__).parent


def family_outputs(project: Project, family: Family) -> Iterable[OutputFile]:
    """Yield a module of `jax/` for each op, and modules of `jax/<library>/` for a layer."""
    templates = environment(FOLDER / "templates")
    file, layer = (templates.get_template(f"{name}.py.j2") for name in ("op", "module"))
    for op in family.ops:
        yield OutputFile(f"jax/_{op.name}.py", file.render(op=view(project, op)))
        for library in LIBRARIES if module_name(op) else ():
            text = layer.render(module=module(op, library))
            yield OutputFile(f"jax/{library}/_{op.name}.py", text)
    yield from framework_files.copies(family, "jax")


def summary(project: Project, family: Family) -> dict[str, Any]:
    """Return the public names of each module in `jax/` and its folders. Stages have none."""
    ops = {op.name: [op.name] for op in family.ops if op.name not in family.stages}
    layers = {op.name: [name] for op in family.ops if (name := module_name(op))}
    names = {"": ops, **dict.fromkeys(LIBRARIES, layers)}
    return {"ops": names, "files": framework_files.offers(family, "jax")}


def shared_outputs(whole: Whole, summaries: Sequence[dict[str, Any]]) -> Iterable[OutputFile]:
    """Yield the package, its packages of layers, and the shared modules in `_opgen/jax/`."""
    templates = environment(FOLDER / "templates")
    files = framework_files.merged([found["files"] for found in summaries])
    titles = {"": "The ops for JAX."} | {k: f"Layers for {name}." for k, name in TITLES.items()}
    for folder, title in titles.items():
        offered = {op: names for found in summaries for op, names in found["ops"][folder].items()}
        if folder and not offered:
            continue
        own = {} if folder else files.get("", {})
        package = templates.get_template("package.py.j2").render(
            title=title,
            imports=[import_from(f"._{op}", offered[op]) for op in sorted(offered)],
            files=framework_files.imports(own),
            names=sorted(n for names in (*offered.values(), *own.values()) for n in names),
        )
        yield OutputFile("/".join(filter(None, ("jax", folder, "__init__.py"))), package)
    yield from framework_files.libraries("jax", files)
    yield from vendored(whole, "jax")
