"""The hash of everything that libraries and rendered Python must agree on.

The libraries' names contain it. So a library with another layout is not found, rather than misused.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass

from opgen.ir.abi import ffi_attrs, torch_out_schema, torch_schemas
from opgen.ir.layouts import Like, Order, layouts
from opgen.ir.op import Op
from opgen.ir.project import Project
from opgen.language.expr import text_of

# The version of the layout of opgen::Context, Failure, Buffer, Status, Kernels and direct::Value,
# and of the attributes of all custom calls. Increase it when one of them changes.
ABI = 6


def layout_hash(namespace: str, layouts: Mapping[str, str]) -> str:
    """Return 12 hex digits of the sha256 of all ops' layouts; `layouts` has them by name."""
    lines = [f"abi {ABI}", f"namespace {namespace}"]
    lines += [layouts[name] for name in sorted(layouts)]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:12]


def op_hash(namespace: str, op: Op) -> str:
    """Return the same for one op: an added kernel must agree on it."""
    return layout_hash(namespace, {op.name: layout(op)})


def meaning_hash(project: Project, op: Op) -> int:
    """Return 48 bits of the meaning of an op's calls: its layout, its spec except texts, its
    reference.

    A custom call holds it, so that a saved program does not call another state of the op.
    """
    family = next(each for each in project.families if op.name in {o.name for o in each.ops})
    lines = [op_hash(project.namespace, op), *_plain(op)]
    lines += [text for _, text in family.references]
    return int(hashlib.sha256("\n".join(lines).encode()).hexdigest()[:12], 16)


# Texts for people, samples, and the choice of kernels, which belongs to the running library.
_WORDS = (
    *("doc", "replaces", "spec", "samples", "cost"),
    *("kernels", "awaited"),
)


def _plain(value: object) -> Iterator[str]:
    """Yield a part of the IR as text that is the same in each process."""
    if is_dataclass(value):
        for each in fields(value):
            if each.name not in _WORDS:
                yield each.name
                yield from _plain(getattr(value, each.name))
        return
    match value:
        case Mapping():
            # An empty table is that of a target that the op does not mention.
            for key in sorted(k for k, v in value.items() if v != {}):
                yield str(key)
                yield from _plain(value[key])
        case tuple() | list():
            yield str(len(value))
            for item in value:
                yield from _plain(item)
        case set() | frozenset():
            yield str(sorted(map(str, value)))
        case _:
            yield f"{type(value).__name__} {value}"


def layout(op: Op) -> str:
    """Return descriptor, argument struct, schema and FFI attributes of an op, a line
    for each part.
    """
    return "\n".join(_lines(op))


def _lines(op: Op) -> Iterator[str]:
    out = torch_out_schema(op)
    for schema in (*torch_schemas(op), *([out] if out else [])):
        yield f"op {schema}"
    yield f"descriptor {op.descriptor.size}"
    for field in op.descriptor.fields:
        yield f"field {field.name} {field.type} {field.offset} {field.count}"
    for tensor in op.tensors:
        yield f"buffer {tensor.name} {bool(tensor.list)}"
        yield f"dtype {tensor.dtype.cases} shape {tensor.forms.cases}"
        yield f"there {tensor.optional} {tensor.when} pitch {tensor.pitch} align {tensor.align}"
        for condition, layout in layouts(op, tensor).cases:
            case = "" if condition is None else text_of(condition)
            match layout:
                case Order(terms, group, open, groups):
                    yield f"order {terms} {group} {case}"
                    if open or groups:
                        yield f"order {open} {' '.join(map(str, groups))}"
                case Like(name):
                    yield f"order like {name} {case}"
    for attr in ffi_attrs(op):
        yield f"attr {attr.name} {attr.type}"
    for kernel in op.kernels:
        yield f"kernel {kernel.platform}{f' {kernel.name}' if kernel.listed else ''}"
