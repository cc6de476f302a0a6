"""All models: by name, as one validator of a document, and as plain data."""

from __future__ import annotations

from functools import cache
from typing import Any

from pydantic import TypeAdapter

from opgen.spec.models.kernels import Cost, Kernel, Kernels
from opgen.spec.models.ops import OPTIONS, Document, Op
from opgen.spec.models.options import entries
from opgen.spec.models.rules import Call, Excuse, Grad, Guarantees, Sharding
from opgen.spec.models.tensors import Attr, DescriptorField, DimFunction, Draw, Member, Tensor

MODELS: dict[str, type] = {
    model.__name__: model
    for model in (
        Tensor,
        Draw,
        Member,
        Attr,
        DescriptorField,
        DimFunction,
        Call,
        Grad,
        Sharding,
        Guarantees,
        Excuse,
        Kernel,
        Kernels,
        Cost,
        *OPTIONS.values(),
        *(entry for model in OPTIONS.values() for entry in entries(model).values()),
        Op,
        Document,
    )
}


@cache
def adapter() -> TypeAdapter[Any]:
    """The validator of a document."""
    return TypeAdapter(Document)


def core_schema() -> Any:
    """What pydantic_core validates a document by: plain data."""
    return _plain(adapter().core_schema)


def _plain(schema: Any) -> Any:
    """A core schema without what validation does not need: metadata and classes."""
    if isinstance(schema, dict):
        plain = {k: _plain(v) for k, v in schema.items() if k not in ("metadata", "cls")}
        return plain | {"cls_name": schema["cls"].__name__} if "cls" in schema else plain
    return [_plain(s) for s in schema] if isinstance(schema, list | tuple) else schema
