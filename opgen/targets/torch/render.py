"""Render the ops for PyTorch: Python wrappers, fake kernels, autograd rules and batching."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from opgen.ir.project import Family, Project, Whole
from opgen.targets import environment, framework_files
from opgen.targets.python_format import import_from
from opgen.targets.target import OutputFile
from opgen.targets.torch import EXTENSION
from opgen.targets.torch.views import view
from opgen.targets.vendored import vendored

FOLDER = Path(__file__).parent
TEMPLATES = FOLDER / "templates"
# The functions for patching. The package exports them if a framework file imports the last one.
PATCHING = EXTENSION.offers


def family_outputs(project: Project, family: Family) -> Iterable[OutputFile]:
    """Yield a module of `torch/` for each op, and the copies of the family's framework files."""
    module = environment(TEMPLATES).get_template("op.py.j2")
    for op in family.ops:
        yield OutputFile(f"torch/_{op.name}.py", module.render(op=view(project, op)))
    yield from framework_files.copies(family, "torch")


def summary(project: Project, family: Family) -> dict[str, Any]:
    """Return the public names of a family: its ops, and the exports of its framework files. Stages
    of other ops are private.
    """
    found = {op.name: [op.name] for op in family.ops} | {stage: [] for stage in family.stages}
    if any(PATCHING[-1] in file.imports for file in family.framework_files):
        found["runtime"] = [*PATCHING]
    return {"ops": found, "files": framework_files.offers(family, "torch")}


def shared_outputs(whole: Whole, summaries: Sequence[dict[str, Any]]) -> Iterable[OutputFile]:
    """Yield the files of `torch/` and `_opgen/torch/` that all families share."""
    templates = environment(TEMPLATES)
    wrappers = {op: names for found in summaries for op, names in found["ops"].items()}
    files = framework_files.merged([found["files"] for found in summaries])
    own = files.get("", {})
    package: dict[str, object] = {
        "stages": sorted(op for op, names in wrappers.items() if not names),
        "imports": [
            import_from(".._opgen.torch" if op == "runtime" else f"._{op}", wrappers[op])
            for op in sorted(wrappers)
            if wrappers[op]
        ],
        "files": framework_files.imports(own),
        "names": sorted(n for names in (*wrappers.values(), *own.values()) for n in names),
    }
    text = templates.get_template("package.py.j2")
    yield OutputFile("torch/__init__.py", text.render(namespace=whole.namespace, **package))
    yield from framework_files.libraries("torch", files)
    yield from vendored(whole, "torch")
