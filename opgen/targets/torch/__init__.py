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

TEMPLATES = Path(__file__).parent / "templates"


def outputs(project: Project) -> Iterable[OutputFile]:
    """`torch/` with one module per op and what they share."""
    templates = environment(TEMPLATES)
    names = sorted(op.name for op in project.ops)
    package = templates.get_template("package.py.j2")
    yield OutputFile(
        "torch/__init__.py", package.render(names=names, namespace=project.namespace)
    )
    runtime = templates.get_template("runtime.py.j2").render(
        namespace=project.namespace,
        layout=layout_hash(project),
        dtypes=[dtype for dtype in DTYPES.values() if dtype.torch],
    )
    yield OutputFile("torch/_runtime.py", runtime)
    yield OutputFile(
        "torch/_dtensor.py", templates.get_template("dtensor.py.j2").render()
    )
    module = templates.get_template("op.py.j2")
    for op in project.ops:
        yield OutputFile(
            f"torch/_{op.name}.py", module.render(op=view(project, op)).rstrip() + "\n"
        )
