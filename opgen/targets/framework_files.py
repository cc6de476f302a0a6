"""Copy a family's hand-written files for one framework, and find the names that they export."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from opgen.ir.project import Family
from opgen.targets import environment
from opgen.targets.python_format import import_from
from opgen.targets.target import OutputFile

TEMPLATES = Path(__file__).parent / "templates"
# The exported names by library and then by module. The library "" is the framework itself.
Offers = Mapping[str, Mapping[str, Sequence[str]]]


def copies(family: Family, target: str) -> Iterator[OutputFile]:
    """Yield copies of the family's framework files for `target`."""
    for file in family.framework_files:
        if file.target == target:
            folder = "/".join(filter(None, (target, file.library)))
            yield OutputFile(f"{folder}/_{file.name}", file.text, verbatim=True)


def offers(family: Family, target: str) -> dict[str, dict[str, list[str]]]:
    """Return the names that a family's framework files export for `target`, by library, then by
    module.
    """
    found: dict[str, dict[str, list[str]]] = {}
    for file in family.framework_files:
        if file.target == target:
            module = f"_{file.name.removesuffix('.py')}"
            found.setdefault(file.library, {})[module] = sorted(file.offers)
    return found


def merged(found: Sequence[Offers]) -> dict[str, dict[str, Sequence[str]]]:
    """Merge the exported names of all families, sorted by library and module."""
    libraries = sorted({library for each in found for library in each})
    return {
        library: dict(sorted(i for each in found for i in each.get(library, {}).items()))
        for library in libraries
    }


def imports(modules: Mapping[str, Sequence[str]]) -> list[str]:
    """Return the import statements for the exported names of each module."""
    return [
        import_from(f".{module}", names) if names else f"from . import {module} as {module}"
        for module, names in modules.items()
    ]


def libraries(
    target: str, found: Mapping[str, Mapping[str, Sequence[str]]]
) -> Iterator[OutputFile]:
    """Yield, for each library such as Equinox, the package that imports its exported names."""
    template = environment(TEMPLATES).get_template("library.py.j2")
    for library, modules in found.items():
        if library:
            names = sorted(name for each in modules.values() for name in each)
            text = template.render(library=library, imports=imports(modules), names=names)
            yield OutputFile(f"{target}/{library}/__init__.py", text)
