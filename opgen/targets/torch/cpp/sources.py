"""Render the C++ of a family for PyTorch: the adapters of its ops, and their registration."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from opgen.ir.project import Family, Project
from opgen.targets.cpp.files import cpp_file
from opgen.targets.target import OutputFile
from opgen.targets.torch.cpp import adapters, registration
from opgen.targets.torch.schema import gives_optional

TEMPLATES = Path(__file__).parent / "templates"


def adapter_outputs(project: Project, family: Family) -> Iterable[OutputFile]:
    """Yield the C++ file with the PyTorch adapters of a family."""
    ops = family.ops
    views = [view for op in ops for view in adapters.views(project, op)]
    yield cpp_file(
        TEMPLATES,
        "torch.cpp.j2",
        f"cpp/{family.name}_torch.cpp",
        family=family.name,
        spec=family.spec,
        namespace=project.namespace,
        views=views,
        schemas=list(registration.definitions(ops)),
        hashes=list(registration.hashes(project, ops)),
        headers=registration.headers(ops),
        lists=any(t.list for op in ops for t in op.written),
        results=any(op.written for op in ops),
        optional=any(gives_optional(op, t) for op in ops for t in op.written),
        given=any(view.given for view in views),
        platforms=list(registration.platforms(project, ops)),
    )
