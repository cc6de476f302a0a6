"""The hash of the data layout that libraries and rendered Python must agree on.

The names of the libraries contain this hash. So the rendered Python never loads a library with a
layout other than its own.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from typing import Any

from opgen.ir.abi import abis
from opgen.ir.layouts import Like, Order, layouts
from opgen.ir.op import Op
from opgen.ir.project import Project
from opgen.language.analysis import analysis
from opgen.language.expr import text_of
from opgen.spec.models.tensors import MEMORY

# The version of the layout of opgen::Context, Failure, Buffer, Status, Kernels and direct::Value,
# and of the attributes of all custom calls. Increase it when one of them changes.
ABI = 6


def layout_hash(namespace: str, layouts: Mapping[str, str]) -> str:
    """Return 12 hex digits of the sha256 of `layouts`, which maps op names to their layouts."""
    lines = [f"abi {ABI}", f"namespace {namespace}"]
    lines += [layouts[name] for name in sorted(layouts)]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:12]


def op_hash(namespace: str, op: Op) -> str:
    """Return the layout hash of one op. A kernel that another library adds to the op must be
    compiled with the same hash.
    """
    return layout_hash(namespace, {op.name: layout(op)})


def meaning_hash(project: Project, op: Op) -> int:
    """Return 48 bits of a hash of everything that determines the results of an op's calls.

    The hash covers the op's layout, its spec without documentation texts, and its reference. A
    custom call contains the hash. So a saved program cannot call an op that has changed since the
    program was saved.
    """
    known = _hashes(op)
    if project.namespace not in known:
        family = next(f for f in project.families if any(o.name == op.name for o in f.ops))
        lines = [op_hash(project.namespace, op), _meaning(op)]
        lines += [text for _, text in family.references]
        digest = hashlib.sha256("\n".join(lines).encode()).hexdigest()
        known[project.namespace] = int(digest[:12], 16)
    return known[project.namespace]


@analysis
def _hashes(op: Op) -> dict[str, int]:
    """Return the cached results of `meaning_hash` for an op, by namespace. The dict is empty at
    first.
    """
    return {}


# Fields that do not affect the hash: texts for people, samples, and the list of kernels. The choice
# of a kernel depends on the library that runs.
_WORDS = (
    *("doc", "replaces", "spec", "samples", "cost"),
    *("kernels", "awaited"),
)
_LEAVES = {str, int, float, bool, type(None)}


def _meaning(op: Op) -> str:
    """Return the fields of an op as text that is the same in every process."""
    lines: list[str] = []
    _add(op, lines)
    return "\n".join(lines)


def _add(value: Any, lines: list[str]) -> None:
    """Append the lines that describe `value`, a part of the IR."""
    cls: Any = type(value)
    if cls in _LEAVES:
        lines.append(f"{cls.__name__} {value}")
    elif cls is tuple or cls is list:
        lines.append(str(len(value)))
        for item in value:
            _add(item, lines)
    elif names := _fields(cls):
        for name, default, text in names:
            held = getattr(value, name)
            if held is default:
                lines.append(text)
            elif type(held) in _LEAVES:
                lines.append(f"{name}\n{type(held).__name__} {held}")
            else:
                lines.append(name)
                _add(held, lines)
    else:
        match value:
            case set() | frozenset():
                lines.append(str(sorted(map(str, value))))
            case Mapping():
                # An empty table belongs to a target that the op does not mention.
                for key in sorted(k for k, v in value.items() if v != {}):
                    lines.append(str(key))
                    _add(value[key], lines)
            case _ if not is_dataclass(cls):  # a class without fields has no lines
                lines.append(f"{cls.__name__} {value}")


@cache
def _fields(cls: Any) -> tuple[tuple[str, object, str], ...]:
    """Return the fields of an IR class that the hash covers, each with its default."""
    found = []
    for each in fields(cls) if is_dataclass(cls) else ():
        if each.name not in _WORDS:
            lines = [each.name]
            if each.default is not MISSING:
                _add(each.default, lines)
            found.append((each.name, each.default, "\n".join(lines)))
    return tuple(found)


@analysis
def layout(op: Op) -> str:
    """Return the lines of the layout: the op's descriptor, argument struct and declarations."""
    return "\n".join(_lines(op))


def _lines(op: Op) -> Iterator[str]:
    yield from (f"op {schema}" for abi in abis() for schema in abi.schemas(op))
    yield f"descriptor {op.descriptor.size}"
    for field in op.descriptor.fields:
        yield f"field {field.name} {field.type} {field.offset} {field.count}"
    for tensor in op.tensors:
        yield f"buffer {tensor.name} {bool(tensor.list)}"
        yield f"dtype {tensor.dtype.cases} shape {tensor.forms.cases}"
        memory = " ".join(f"{name} {getattr(tensor, name)}" for name in MEMORY)
        yield f"there {tensor.optional} {tensor.when} {memory}"
        for condition, layout in layouts(op, tensor).cases:
            case = "" if condition is None else text_of(condition)
            match layout:
                case Order(terms, group, open, groups):
                    yield f"order {terms} {group} {case}"
                    if open or groups:
                        yield f"order {open} {' '.join(map(str, groups))}"
                case Like(name):
                    yield f"order like {name} {case}"
    yield from (f"attr {attr}" for abi in abis() for attr in abi.attributes(op))
    for kernel in op.kernels:
        yield f"kernel {kernel.platform}{f' {kernel.name}' if kernel.listed else ''}"
