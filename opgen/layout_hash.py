"""The hash of everything that libraries and rendered Python must agree on.

It is part of the libraries' names, so that one of another layout is not found rather than
misused.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from opgen.ir import Op, Project
from opgen.signatures import ffi_attrs, torch_schema

# The layout of opgen::Context, Buffer and Status. Count up when one of them changes.
ABI = 1


def layout_hash(project: Project) -> str:
    """12 hex digits of the sha256 of descriptors, argument structs, schemas, FFI attributes."""
    lines = [f"abi {ABI}", f"namespace {project.namespace}"]
    for op in sorted(project.ops, key=lambda op: op.name):
        lines += _op(op)
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:12]


def _op(op: Op) -> Iterator[str]:
    yield f"op {torch_schema(op)}"
    yield f"descriptor {op.descriptor.size}"
    for field in op.descriptor.fields:
        yield f"field {field.name} {field.type} {field.offset} {field.count}"
    for tensor in op.tensors:
        yield f"buffer {tensor.name} {bool(tensor.list)}"
    for attr in ffi_attrs(op):
        yield f"attr {attr.name} {attr.type}"
    for kernel in op.kernels:
        yield f"kernel {kernel.platform}"
