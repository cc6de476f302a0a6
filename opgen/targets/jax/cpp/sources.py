"""Render the C++ of a family for JAX: XLA FFI handlers."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from opgen.ir.project import Family, Project
from opgen.targets.cpp.files import cpp_file
from opgen.targets.jax.cpp import handlers
from opgen.targets.jax.ffi import varies
from opgen.targets.target import OutputFile

TEMPLATES = Path(__file__).parent / "templates"


def adapter_outputs(project: Project, family: Family) -> Iterable[OutputFile]:
    """Yield the C++ file with the handlers of a family."""
    yield cpp_file(
        TEMPLATES,
        "jax.cpp.j2",
        f"cpp/{family.name}_jax.cpp",
        headers=["opgen/jax_given.h" if any(map(varies, family.ops)) else "opgen/jax.h"],
        platforms=list(handlers.platforms(project, family.ops)),
        family=family.name,
        spec=family.spec,
        namespace=project.namespace,
    )
