"""Print `core/_references.py`, the references that the runtime runs."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePosixPath

from opgen.ir.op import Op
from opgen.ir.project import Project
from opgen.targets.backwards import backward_reference, has_reference
from opgen.targets.python_format import call, dict_of, quoted, tuple_of


def entry(project: Project, op: Op) -> str | None:
    """Return the dict item of an op's reference; None if neither the op nor its forward has one."""
    if not has_reference(project, op):
        return None
    backward = backward_reference(project, op)
    source = op.reference if backward is None else backward.forward.reference
    file, _, function = str(source).partition(":")
    items = [
        f"module={quoted(PurePosixPath(file).stem)}",
        f"function={quoted(function)}",
        f"results={_names(t.name for t in op.results)}",
    ]
    if backward is not None:
        items += [
            f"primals={_names(backward.primals)}",
            f"cotangents={_names(backward.cotangents)}",
            f"gradients={tuple_of(map(str, backward.gradients))}",
            _pairs("attrs", backward.attrs),
        ]
    lengths = [(t.name, t.length) for t in op.results if t.length]
    if lengths:
        items.append(_pairs("lengths", lengths))
    return call(f"{quoted(op.name)}: dict", items) + ","


def _names(names: Iterable[str | None]) -> str:
    return tuple_of("None" if name is None else quoted(name) for name in names)


def _pairs(name: str, pairs: Iterable[tuple[str, str]]) -> str:
    return f"{name}=" + dict_of(f"{quoted(a)}: {quoted(b)}" for a, b in pairs)
