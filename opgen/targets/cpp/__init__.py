"""The C++ of a project: headers for kernels, entries, adapters, bindings, and what builds them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from opgen.ir import Family, Project
from opgen.layout_hash import layout_hash
from opgen.render import OutputFile
from opgen.signatures import varies
from opgen.targets import environment
from opgen.targets.cpp import adapters, bindings, calls, entries, headers
from opgen.targets.cpp.names import PLATFORMS

TEMPLATES = Path(__file__).parent / "templates"


def outputs(project: Project) -> Iterable[OutputFile]:
    """`cpp/` with five files for each family, the bindings, and CMakeLists.txt."""
    for family in project.families:
        yield from _family(project, family)
    families = [family.name for family in project.families]
    yield _file(
        "cpp/bindings.cpp",
        "bindings.cpp.j2",
        families=families,
        ops=[bindings.packer(project, op) for op in project.ops],
        registrations=list(bindings.registrations(project)),
    )
    yield _file(
        "CMakeLists.txt",
        "CMakeLists.txt.j2",
        package=project.package,
        namespace=project.namespace,
        layout=layout_hash(project),
        platforms=[
            (platform.name.upper(), [_entries_path(f, platform) for f in found])
            for platform in PLATFORMS.values()
            if (found := [f for f in project.families if _kernels(f, platform.name)])
        ],
        torch=[f"cpp/{family}_torch.cpp" for family in families],
        jax=[f"cpp/{family}_jax.cpp" for family in families],
    )


def _family(project: Project, family: Family) -> Iterator[OutputFile]:
    names = {"family": family.name, "spec": family.spec, "namespace": project.namespace}
    yield _file(
        f"cpp/{family.name}.h",
        "header.h.j2",
        ops=[_header(project, op) for op in family.ops],
        **names,
    )
    for platform in PLATFORMS.values():
        kernels = _kernels(family, platform.name)
        if kernels:
            found = [entries.entry(project, op, kernel) for op, kernel in kernels]
            grid = ("opgen/grid.h",) if any(entry.grid for entry in found) else ()
            yield _file(
                _entries_path(family, platform),
                "entries.j2",
                platform=platform.name,
                headers=platform.headers + grid,
                sources=entries.sources(family, platform.name),
                entries=found,
                **names,
            )
    yield _file(
        f"cpp/{family.name}_call.h",
        "call.h.j2",
        calls=[calls.call(op) for op in family.ops],
        headers=calls.standard_headers(family.ops),
        **names,
    )
    yield _file(
        f"cpp/{family.name}_torch.cpp",
        "torch.cpp.j2",
        ops=[adapters.adapter(op) for op in family.ops],
        platforms=list(adapters.torch_platforms(project, family.ops)),
        **names,
    )
    yield _file(
        f"cpp/{family.name}_jax.cpp",
        "jax.cpp.j2",
        headers=[
            "opgen/jax_given.h" if any(map(varies, family.ops)) else "opgen/jax.h"
        ],
        platforms=list(adapters.jax_platforms(project, family.ops)),
        **names,
    )


def _header(project: Project, op) -> dict[str, object]:
    kernels = headers.cpp_kernels(op)
    return {
        "structs": [headers.descriptor(op), headers.args(op)],
        "views": headers.kernel_views(op),
        "entries": [entries.entry(project, op, kernel) for kernel in kernels],
    }


def _kernels(family: Family, platform: str) -> list[tuple]:
    return [(op, k) for op in family.ops if (k := op.kernel(platform)) is not None]


def _entries_path(family: Family, platform) -> str:
    return f"cpp/{family.name}_{platform.name}{platform.suffix}"


def _file(path: str, template: str, **values: object) -> OutputFile:
    return OutputFile(
        path, environment(TEMPLATES).get_template(template).render(values)
    )
