"""Render the C++ code of a project: kernel headers, entries, adapters, bindings and build files."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from opgen.ir.nodes import Kernel
from opgen.ir.op import Op
from opgen.ir.project import Family, Project, Whole
from opgen.targets import environment
from opgen.targets.cpp import bindings, calls, dispatch, headers, tuned
from opgen.targets.cpp.adapters import frameworks
from opgen.targets.cpp.files import cpp_file
from opgen.targets.cpp.kinds import cpp_kinds
from opgen.targets.cpp.platforms import CppPlatform, native_platforms
from opgen.targets.target import OutputFile

TEMPLATES = Path(__file__).parent / "templates"

Summary = dict[str, Any]


def summary(project: Project, family: Family) -> Summary:
    """Return the information about a family that shared files need, as plain data.

    It consists of the rows for the bindings, the files of entries, and the external libraries.
    `entries` and `libraries` are keyed by platform.
    """
    return {
        "descriptors": [bindings.row(op) for op in family.ops],
        "entries": {
            platform.name: list(_sources(family, platform))
            for platform in native_platforms().values()
            if _kernels(family, platform.name)
        },
        "libraries": {
            name: [kernel.library for _, kernel in _kernels(family, name) if kernel.library]
            for name in native_platforms()
        },
    }


def shared_outputs(whole: Whole, summaries: Sequence[Summary]) -> Iterable[OutputFile]:
    """Yield `cpp/bindings.cpp` and `CMakeLists.txt`."""
    yield _file(
        "cpp/bindings.cpp",
        "bindings.cpp.j2",
        namespace=whole.namespace,
        descriptors=[row for each in summaries for row in each["descriptors"]],
    )
    entries = {
        name: [path for each in summaries for path in each["entries"].get(name, ())]
        for name in (platform.name for platform in native_platforms().values())
    }
    libraries = {
        f"{name}_libraries": sorted({lib for each in summaries for lib in each["libraries"][name]})
        for name in native_platforms()
    }
    files = {name.upper(): paths for name, paths in (entries | libraries).items() if paths}
    cmake = environment(TEMPLATES).get_template("CMakeLists.txt.j2")
    text = cmake.render(
        package=whole.package,
        namespace=whole.namespace,
        kernels=files.items(),
        adapters=[
            (name, [f"cpp/{family}_{name}.cpp" for family in whole.families])
            for name, _ in frameworks()
        ],
    )
    yield OutputFile("CMakeLists.txt", text)


def family_outputs(project: Project, family: Family) -> Iterable[OutputFile]:
    """Yield the files of a family in `cpp/`."""
    names = {"family": family.name, "spec": family.spec, "namespace": project.namespace}
    entries = {
        op.name: {p: dispatch.entry(project, op, p) for p in headers.cpp_platforms(op)}
        for op in family.ops
    }
    yield _file(
        f"cpp/{family.name}.h",
        "header.h.j2",
        ops=[
            {
                "structs": [headers.descriptor(op), headers.args(op)],
                "views": headers.kernel_views(op),
                "tuned": [tuned.view(project, op, kernel) for kernel in headers.tuned(op)],
                "layout": headers.layout(project, op) if op.listed else "",
                "entries": entries[op.name].values(),
            }
            for op in family.ops
        ],
        listed=any(op.listed for op in family.ops),
        tuned=any(headers.tuned(op) for op in family.ops),
        **names,
    )
    for platform in native_platforms().values():
        kernels = _kernels(family, platform.name)
        if kernels:
            named = dict.fromkeys(op.name for op, _ in kernels)
            yield _file(
                _entries_path(family, platform),
                "entries.j2",
                platform=platform.name,
                headers=dispatch.headers(project, family, platform.name),
                sources=list(dispatch.sources(family, platform.name)),
                entries=[entries[op][platform.name] for op in named],
                **names,
            )
        if values := tuned.views(project, family, platform.name):
            files = (f"tuned/{table.file}" for each in values for table in each.tables)
            yield _file(
                _tuned_path(family, platform),
                "tuned.cpp.j2",
                platform=platform.name,
                kernels=values,
                sources=", ".join(dict.fromkeys((family.spec, *files))),
                **names,
            )
    for kind in cpp_kinds(kernel for op in family.ops for kernel in op.kernels):
        yield from kind.outputs(project, family)
    yield _file(
        f"cpp/{family.name}_call.h",
        "call.h.j2",
        calls=[calls.call(op) for op in family.ops],
        headers=calls.standard_headers(family.ops),
        **names,
    )
    for _, framework in frameworks():
        yield from framework.adapter_outputs(project, family)


def _kernels(family: Family, platform: str) -> list[tuple[Op, Kernel]]:
    return [(op, k) for op in family.ops for k in op.kernels_for(platform)]


def _entries_path(family: Family, platform: CppPlatform) -> str:
    kernels = (kernel for _, kernel in _kernels(family, platform.name))
    suffix = ".cpp" if dispatch.host_only(kernels) else platform.suffix
    return f"cpp/{family.name}_{platform.name}{suffix}"


def _tuned_path(family: Family, platform: CppPlatform) -> str:
    return f"cpp/{family.name}_{platform.name}_tuned.cpp"


def _sources(family: Family, platform: CppPlatform) -> Iterable[str]:
    """Yield the source files of a family that are compiled for a platform."""
    yield _entries_path(family, platform)
    if any(kernel.tune is not None for _, kernel in _kernels(family, platform.name)):
        yield _tuned_path(family, platform)


def _file(path: str, template: str, **values: object) -> OutputFile:
    return cpp_file(TEMPLATES, template, path, **values)
