"""The ops for PyTorch: their Python faces, fake kernels, autograd rules and batching."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from opgen.dtypes import DTYPES
from opgen.ir import Family, Project, Whole
from opgen.render import OutputFile
from opgen.targets import environment
from opgen.targets.python import import_from
from opgen.targets.torch.modules import module_name
from opgen.targets.torch.views import view

FOLDER = Path(__file__).parent


def family_outputs(project: Project, family: Family) -> Iterable[OutputFile]:
    """A module of `torch/` for each op."""
    module = environment(FOLDER / "templates").get_template("op.py.j2")
    for op in family.ops:
        yield OutputFile(f"torch/_{op.name}.py", module.render(op=view(project, op)))


def summary(project: Project, family: Family) -> dict[str, str]:
    """The ops that have an `nn.Module`, and its name."""
    names = {op.name: module_name(op) for op in family.ops}
    return {op: name for op, name in names.items() if name is not None}


def shared_outputs(
    whole: Whole, summaries: Sequence[dict[str, str]]
) -> Iterable[OutputFile]:
    """The package, and `torch/_runtime/` with what its modules share."""
    templates = environment(FOLDER / "templates")
    classes = {op: name for found in summaries for op, name in found.items()}
    names = {op: [op, classes[op]] if op in classes else [op] for op in sorted(whole.ops)}  # fmt: skip
    package = {
        "imports": [import_from(f"._{op}", faces) for op, faces in names.items()],
        "names": sorted(name for faces in names.values() for name in faces),
    }
    shared = {
        "torch/__init__.py": ("package.py.j2", package),
        "torch/_runtime/library.py": ("library.py.j2", {"layout": whole.layout}),
        "torch/_runtime/dtypes.py": (
            "dtypes.py.j2",
            {"dtypes": [d for d in DTYPES.values() if d.torch]},
        ),
    }
    for path, (template, values) in shared.items():
        text = templates.get_template(template)
        yield OutputFile(path, text.render(namespace=whole.namespace, **values))
    for file in sorted((FOLDER / "runtime").glob("*.py")):
        yield OutputFile(f"torch/_runtime/{file.name}", file.read_text())
