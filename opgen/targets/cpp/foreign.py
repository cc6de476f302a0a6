"""Existing kernels: the call of an external function, in C or of tvm-ffi."""

from __future__ import annotations

import re
from dataclasses import dataclass

from opgen.ir.nodes import Field, Kernel, Tensor
from opgen.ir.op import Op
from opgen.language.expr import Name
from opgen.spec.attr_types import FIELD_TYPES
from opgen.targets.cpp.cpp_format import listing
from opgen.targets.cpp.names import cpp_name, member
from opgen.targets.cpp.platforms import PLATFORMS


@dataclass(frozen=True)
class ForeignCall:
    """A function and its arguments, as in `ln_fwd(x, y, n1, stream)`."""

    function: str
    arguments: tuple[str, ...]


def call_of(text: str) -> ForeignCall:
    """Parse the call in a spec, which lint has checked."""
    function, _, rest = text.partition("(")
    arguments = re.findall(r"[^\s,()]+", rest)
    return ForeignCall(function.strip(), tuple(arguments))


def declaration(op: Op, kernel: Kernel, call: ForeignCall) -> str:
    """Declare the function under opgen's name, because another op may use another signature.

    The entry ignores its return value.
    """
    parameters = [f"{_type(op, name)} {member(name)}" for name in call.arguments]
    head = f'extern "C" void {_name(op, kernel)}('
    return listing(head, parameters, f') __asm__("{call.function}");')


def body(op: Op, kernel: Kernel, call: ForeignCall) -> tuple[str, ...]:
    """Return the statements that call it."""
    values = [_value(op, name) for name in call.arguments]
    result = PLATFORMS[kernel.platform].launched
    return listing(f"{_name(op, kernel)}(", values, ");"), f"return {result};"


def tvm_declaration(op: Op, kernel: Kernel) -> str:
    """Declare a function that tvm-ffi exports, under opgen's name."""
    head = f'extern "C" opgen::tvm_ffi::Function {_name(op, kernel)}'
    return f'{head} __asm__("__tvm_ffi_{kernel.tvm_ffi}");'


def tvm_body(op: Op, kernel: Kernel) -> str:
    """Return the statement that calls it."""
    values = []
    for name in kernel.args:
        thing = _thing(op, name)
        value = f"args->{'' if isinstance(thing, Tensor) else 'desc->'}{cpp_name(name)}"
        is_dtype = isinstance(thing, Field) and _is_dtype(op, thing)
        values.append(f"static_cast<opgen::ElementType>({value})" if is_dtype else value)
    given = ["*args->ctx", f"opgen::tvm_ffi::{kernel.platform}", _name(op, kernel), *values]
    return listing("return opgen::tvm_ffi::call(", given, ");")


def _is_dtype(op: Op, field: Field) -> bool:
    """Return whether a field has the code of a dtype, whatever its type."""
    dtypes = {*(v.name for v in op.dtypes), *(a.name for a in op.attrs if a.type == "dtype")}
    return isinstance(field.value, Name) and field.value.id in dtypes


def _name(op: Op, kernel: Kernel) -> str:
    own = f"_{kernel.name}" if kernel.listed else ""
    return f"{op.name}_{kernel.platform}{own}_foreign"


def _thing(op: Op, name: str) -> Tensor | Field:
    """Return the tensor or the field of that name; tensors win."""
    things: tuple[Tensor | Field, ...] = (*op.tensors, *op.descriptor.fields)
    return next(each for each in things if each.name == name)


def _type(op: Op, name: str) -> str:
    if name == "stream":
        return "void*"
    thing = _thing(op, name)
    if isinstance(thing, Tensor):
        read = thing.role == "input" and not thing.update
        return "const void*" if read else "void*"
    text = "int32_t" if thing.type == "dtype" else FIELD_TYPES[thing.type].cpp
    return f"const {text}*" if thing.count else text


def _value(op: Op, name: str) -> str:
    if name == "stream":
        return "args->ctx->stream"
    thing = _thing(op, name)
    if isinstance(thing, Tensor):
        return f"args->{cpp_name(name)}.data"
    value = f"args->desc->{cpp_name(name)}"
    return f"static_cast<int32_t>({value})" if thing.type == "dtype" else value
