"""The ops for PyTorch: their Python faces, fake kernels, autograd rules and batching."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from opgen.dtypes import DTYPES
from opgen.ir import Project
from opgen.layout_hash import layout_hash
from opgen.render import OutputFile
from opgen.targets import environment
from opgen.targets.torch.views import view

FOLDER = Path(__file__).parent


def outputs(project: Project) -> Iterable[OutputFile]:
    """`torch/` with one module per op, and `torch/_runtime/` with what they share."""
    templates = environment(FOLDER / "templates")
    names = sorted(op.name for op in project.ops)
    shared = {
        "torch/__init__.py": ("package.py.j2", {"names": names}),
        "torch/_runtime/library.py": (
            "library.py.j2",
            {"layout": layout_hash(project)},
        ),
        "torch/_runtime/dtypes.py": (
            "dtypes.py.j2",
            {"dtypes": [d for d in DTYPES.values() if d.torch]},
        ),
    }
    for path, (template, values) in shared.items():
        text = templates.get_template(template)
        yield OutputFile(path, text.render(namespace=project.namespace, **values))
    for file in sorted((FOLDER / "runtime").glob("*.py")):
        yield OutputFile(f"torch/_runtime/{file.name}", file.read_text())
    module = templates.get_template("op.py.j2")
    for op in project.ops:
        yield OutputFile(f"torch/_{op.name}.py", module.render(op=view(project, op)))
