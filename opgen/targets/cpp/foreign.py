"""Print the calls to existing kernels, which are external C functions."""

from __future__ import annotations

import re

from opgen.ir.nodes import Field, Kernel, Tensor
from opgen.ir.op import Op
from opgen.source.frozen import dataclass
from opgen.spec.attr_types import FIELD_TYPES
from opgen.targets.cpp.cpp_format import listing
from opgen.targets.cpp.names import cpp_name, member
from opgen.targets.cpp.platforms import native_platforms


@dataclass(frozen=True)
class ForeignCall:
    """A call to an external function, such as `ln_fwd(x, y, n1, stream)`."""

    function: str
    arguments: tuple[str, ...]


def call_of(text: str) -> ForeignCall:
    """Parse the call to an external function in a spec. Lint has already checked the call."""
    function, _, rest = text.partition("(")
    arguments = re.findall(r"[^\s,()]+", rest)
    return ForeignCall(function.strip(), tuple(arguments))


def declaration(op: Op, kernel: Kernel, call: ForeignCall) -> str:
    """Return a declaration of the external function under a name that opgen chooses.

    The declaration does not use the function's name, because another op may declare the same
    function with a different signature. The entry ignores the function's return value.
    """
    parameters = [f"{_type(op, name)} {member(name)}" for name in call.arguments]
    head = f'extern "C" void {foreign_name(op, kernel)}('
    return listing(head, parameters, f') __asm__("{call.function}");')


def body(op: Op, kernel: Kernel, call: ForeignCall) -> tuple[str, ...]:
    """Return the statements that call the external function."""
    values = [_value(op, name) for name in call.arguments]
    result = native_platforms()[kernel.platform].launched
    return listing(f"{foreign_name(op, kernel)}(", values, ");"), f"return {result};"


def foreign_name(op: Op, kernel: Kernel) -> str:
    """Return the name under which opgen declares an external function."""
    own = f"_{kernel.name}" if kernel.listed else ""
    return f"{op.name}_{kernel.platform}{own}_foreign"


def argument(op: Op, name: str) -> Tensor | Field:
    """Return the tensor or the descriptor field called `name`. If both exist, return the tensor."""
    things: tuple[Tensor | Field, ...] = (*op.tensors, *op.descriptor.fields)
    return next(each for each in things if each.name == name)


def _type(op: Op, name: str) -> str:
    if name == "stream":
        return "void*"
    thing = argument(op, name)
    if isinstance(thing, Tensor):
        read = thing.role == "input" and not thing.update
        return "const void*" if read else "void*"
    text = "int32_t" if thing.type == "dtype" else FIELD_TYPES[thing.type].cpp
    return f"const {text}*" if thing.count else text


def _value(op: Op, name: str) -> str:
    if name == "stream":
        return "args->ctx->stream"
    thing = argument(op, name)
    if isinstance(thing, Tensor):
        return f"args->{cpp_name(name)}.data"
    value = f"args->desc->{cpp_name(name)}"
    return f"static_cast<int32_t>({value})" if thing.type == "dtype" else value
