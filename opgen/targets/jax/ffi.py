"""Find the attributes of an op's XLA FFI custom call."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from opgen.ir.abi import Abi
from opgen.ir.nodes import Attr
from opgen.ir.op import Op
from opgen.language.analysis import analysis
from opgen.runtime.core.attrs import ffi_name
from opgen.source.frozen import dataclass
from opgen.spec.attr_types import type_of_attr
from opgen.spec.cases import Cases


class FfiType(NamedTuple):
    """An attr type that XLA can pass, and the C++ function that converts an attribute to its value.

    The function is "" if the value needs no conversion.
    """

    cpp: str
    reader: str = ""


TYPES = {
    "float": FfiType("double"),
    "int": FfiType("int64_t"),
    "bool": FfiType("bool"),
    "str": FfiType("std::string_view"),
    "dtype": FfiType("int64_t", "opgen::jax::dtype"),
    "float[]": FfiType("xla::ffi::Span<const double>", "opgen::jax::floats"),
    "int[]": FfiType("xla::ffi::Span<const int64_t>", "opgen::jax::sizes"),
}


@dataclass(frozen=True, slots=True)
class FfiAttr:
    """An attribute of an XLA custom call, with its C++ type. A dtype attr is passed as a number."""

    name: str
    type: str


# The attributes of every custom call.
_COMMON = (FfiAttr("batch_dims", "int64_t"), FfiAttr("op_hash", "int64_t"))


class FfiAbi(Abi):
    """The part of the binary interface (ABI) that XLA sees: the attributes of custom calls."""

    def attributes(self, op: Op) -> Iterator[str]:
        for attr in ffi_attrs(op):
            yield f"{attr.name} {attr.type}"


ABI = FfiAbi()


@analysis
def varies(op: Op) -> bool:
    """Return whether some tensors or attrs of the op are optional, so that its calls may differ."""
    tensors = (*op.inputs, *op.written)
    chosen = (isinstance(t.update, Cases) for t in op.inputs)
    vary = any(t.list or not t.always for t in tensors) or any(chosen)
    return vary or any(attr.nullable for attr in op.attrs)


@analysis
def ffi_attrs(op: Op) -> tuple[FfiAttr, ...]:
    """Return the attributes of an op's custom call.

    The first attribute is `batch_dims`, the number of leading vmapped dims of every operand. The
    second is `op_hash`, which the handler reads only before the first call. If calls vary, `given`
    lists the present operands and results. It has one number for each input, output and residual:
    1, 0, or the length of a list. An updated input has two numbers. An attr that is None is
    omitted.
    """
    own = (FfiAttr(ffi_name(attr.name), type_of(attr).cpp) for attr in op.attrs)
    given = FfiAttr("given", "xla::ffi::Span<const int64_t>")
    return (*_COMMON, *([given] if varies(op) else []), *own)


def type_of(attr: Attr) -> FfiType:
    """Return the type that XLA passes for an attr: its own, or that of its parts."""
    found = TYPES[type_of_attr(attr.kind.passed).name]
    return found._replace(reader=attr.kind.reader or found.reader)
