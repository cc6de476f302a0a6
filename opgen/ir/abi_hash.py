"""The hash of everything that libraries and rendered Python must agree on.

It is part of the libraries' names, so that one of another layout is not found rather than
misused.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping

from opgen.ir.abi import ffi_attrs, torch_out_schema, torch_schemas
from opgen.ir.layouts import Like, Order, layouts
from opgen.ir.op import Op
from opgen.language.expr import text_of

# The layout of opgen::Context, Failure, Buffer, Status, Kernels and direct::Value. Count up when
# one of them changes.
ABI = 5


def layout_hash(namespace: str, layouts: Mapping[str, str]) -> str:
    """12 hex digits of the sha256 of all ops' layouts; `layouts` has them by name."""
    lines = [f"abi {ABI}", f"namespace {namespace}"]
    lines += [layouts[name] for name in sorted(layouts)]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:12]


def op_hash(namespace: str, op: Op) -> str:
    """The same of one op alone: what a kernel that is added to it must agree on."""
    return layout_hash(namespace, {op.name: layout(op)})


def layout(op: Op) -> str:
    """Descriptor, argument struct, schema and FFI attributes of an op, a line for each part."""
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
