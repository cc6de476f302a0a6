"""Render `core/`, the part of a package that works without a framework."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypedDict

from opgen.ir.guarantees import asked_of
from opgen.ir.op import Op
from opgen.ir.project import Family, Project, Whole
from opgen.language.names import camel
from opgen.targets import environment
from opgen.targets.core.references import entry
from opgen.targets.core.views import view
from opgen.targets.python_format import dict_of, quoted, tuple_of
from opgen.targets.target import OutputFile
from opgen.targets.vendored import vendored

# A field of a bundle's class: its name, its documentation, and whether it is optional.
Field = tuple[str, str, bool]
TEMPLATES = Path(__file__).parent / "templates"


def family_outputs(project: Project, family: Family) -> Iterable[OutputFile]:
    """Yield a module of `core/` for each op, and the spec's Python files in `reference/`."""
    module = environment(TEMPLATES).get_template("op.py.j2")
    for op in family.ops:
        yield OutputFile(f"core/_{op.name}.py", module.render(op=view(project, op)))
    for file, text in (*family.references, *family.python_kernels):
        yield OutputFile(f"reference/{file}", text, verbatim=True)


class Summary(TypedDict):
    """The information about one family that shared files need.

    It is plain data, so opgen can store it in the cache of the last render. It consists of the
    fields of each bundle, the references of the ops, and the names of listed kernels by platform.
    It also includes the tuned values and guarantees of kernels.
    """

    bundles: dict[str, tuple[Field, ...]]
    references: dict[str, str]
    listed: dict[str, dict[str, list[str]]]
    tuned: dict[str, dict[str, dict[str, list[str]]]]
    guarantees: dict[str, dict[str, dict[str, list[str]]]]


def summary(project: Project, family: Family) -> Summary:
    """Return the information about one family that shared files need."""
    entries = ((op.name, entry(project, op)) for op in family.ops)
    return {
        "bundles": {b.kind: b.fields for op in family.ops for b in op.bundles},
        "references": {name: text for name, text in entries if text is not None},
        "listed": {op.name: _kernels(op) for op in family.ops if op.listed},
        "tuned": {op.name: found for op in family.ops if (found := _tuned(op))},
        "guarantees": {op.name: found for op in family.ops if (found := _guarantees(op))},
    }


def _kernels(op: Op) -> dict[str, list[str]]:
    names: dict[str, list[str]] = {}
    for kernel in op.kernels:
        if kernel.listed:
            names.setdefault(kernel.platform, []).append(kernel.name)
    return names | ({"else": ["reference"]} if op.fallback else {})


def _tuned(op: Op) -> dict[str, dict[str, list[str]]]:
    """Return the names of tuned values, by platform and kernel name."""
    found: dict[str, dict[str, list[str]]] = {}
    for kernel in op.kernels:
        if kernel.tune is not None:
            name = kernel.name if kernel.listed else ""
            found.setdefault(kernel.platform, {})[name] = list(kernel.tune.names)
    return found


def _guarantees(op: Op) -> dict[str, dict[str, list[str]]]:
    """Return the guarantees that calls may require, for each kernel in a list, by platform and
    name.
    """
    found: dict[str, dict[str, list[str]]] = {}
    for platform in dict.fromkeys(k.platform for k in op.kernels if k.listed):
        kernels = op.kernels_for(platform)
        kept = {k.name: [*names] for k, names in zip(kernels, asked_of(kernels)) if names}
        found |= {platform: kept} if kept else {}
    return found


def shared_outputs(whole: Whole, summaries: Sequence[Summary]) -> Iterable[OutputFile]:
    """Yield the files of the package that all families share."""
    templates = environment(TEMPLATES)
    yield OutputFile("py.typed", "")
    listed = {op: names for each in summaries for op, names in each["listed"].items()}
    yield OutputFile("__init__.py", templates.get_template("package.py.j2").render(listed=listed))
    yield OutputFile(
        "core/__init__.py", templates.get_template("core.py.j2").render(names=sorted(whole.ops))
    )
    kinds = {kind: fields for each in summaries for kind, fields in each["bundles"].items()}
    if kinds:
        bundles = [_bundle(kind, fields) for kind, fields in sorted(kinds.items())]
        text = templates.get_template("bundles.py.j2").render(bundles=bundles)
        yield OutputFile("bundles.py", text)
    references = {name: text for each in summaries for name, text in each["references"].items()}
    yield OutputFile(
        "core/_references.py",
        templates.get_template("references.py.j2").render(
            references=[text for _, text in sorted(references.items())]
        ),
    )
    tuned = {op: kernels for each in summaries for op, kernels in each["tuned"].items()}
    kept = {op: kernels for each in summaries for op, kernels in each["guarantees"].items()}
    yield OutputFile("core/_project.py", _facts(whole, listed, tuned, kept))
    yield from vendored(whole, "core")
    yield OutputFile(
        "reference/__init__.py",
        '"""The specs and the Python files that they name, as their authors wrote them."""\n',
    )


def _facts(
    whole: Whole,
    listed: dict[str, dict[str, list[str]]],
    tuned: dict[str, dict[str, dict[str, list[str]]]],
    kept: dict[str, dict[str, dict[str, list[str]]]],
) -> str:
    """Return the text of the module that describes the project to the runtime."""
    template = environment(TEMPLATES).get_template("project.py.j2")
    return template.render(
        whole=whole,
        listed=_table(dict(sorted(listed.items()))),
        tuned=_table(dict(sorted(tuned.items()))),
        guarantees=_table(dict(sorted(kept.items()))),
    )


def _table(value: Mapping[str, Any] | list[str]) -> str:
    """Return nested dicts of names as code. Each list of names becomes a tuple."""
    if isinstance(value, list):
        return tuple_of(map(quoted, value))
    return dict_of(f"{quoted(key)}: {_table(value[key])}" for key in value)


def _bundle(kind: str, fields: tuple[Field, ...]) -> dict[str, object]:
    """Return the fields and documentation that the template needs for a bundle's class."""
    lines = []
    for name, doc, default in fields:
        text = f"  # {doc.removesuffix('.')}" if doc else ""
        lines.append(f"{name}: Any{' = None' if default else ''}{text}")
    names = ", ".join(f"`{name}`" for name, _, _ in fields)
    return {"name": camel(kind), "doc": f"The bundle `{kind}`: {names}.", "lines": lines}
