"""Dumps of the HLO of every lowered NKI kernel, enabled by `NEURON_FRAMEWORK_DEBUG=1`.

`<op>-<digest>.hlo.txt` has XLA's text, and `<op>-<digest>.hlo.pbtxt` has the HloModuleProto in
protobuf's text format. Both are in the working directory. Rendered by opgen.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import jax

# The fields of xla/service/hlo.proto and xla/xla_data.proto in a module of one custom call:
# number to name, and the message in the field. Debug information is omitted.
LAYOUT = {1: ("minor_to_major", "int64")}
SHAPE: dict[int, tuple[str, Any]] = {
    2: ("element_type", None),
    3: ("dimensions", "int64"),
    5: ("layout", LAYOUT),
    6: ("is_dynamic_dimension", "int64"),
}
SHAPE[4] = ("tuple_shapes", SHAPE)
PROGRAM_SHAPE = {
    1: ("parameters", SHAPE),
    2: ("result", SHAPE),
    3: ("parameter_names", "string"),
}
METADATA = {1: ("op_type", "string"), 2: ("op_name", "string")}
INSTRUCTION = {
    1: ("name", "string"),
    2: ("opcode", "string"),
    3: ("shape", SHAPE),
    7: ("metadata", METADATA),
    9: ("parameter_number", None),
    13: ("tuple_index", None),
    28: ("custom_call_target", "string"),
    35: ("id", None),
    36: ("operand_ids", "int64"),
    43: ("backend_config", "string"),
    56: ("constrain_layout", None),
    57: ("operand_shapes_with_layout", SHAPE),
    77: ("custom_call_api_version", None),
}
COMPUTATION = {
    1: ("name", "string"),
    2: ("instructions", INSTRUCTION),
    4: ("program_shape", PROGRAM_SHAPE),
    5: ("id", None),
    6: ("root_id", None),
}
MODULE = {
    1: ("name", "string"),
    2: ("entry_computation_name", "string"),
    3: ("computations", COMPUTATION),
    4: ("host_program_shape", PROGRAM_SHAPE),
    5: ("id", None),
    6: ("entry_computation_id", None),
}


def write_hlo(op: str, function: Callable[..., Any], operands: Sequence[Any]) -> None:
    """Write the HLO of one lowered op, if the variable is set."""
    if os.environ.get("NEURON_FRAMEWORK_DEBUG") != "1":
        return
    types = [jax.ShapeDtypeStruct(x.shape, x.dtype) for x in operands]
    function = jax.named_call(function, name=op)
    lowered = jax.jit(function).trace(*types).lower(lowering_platforms=("neuron",))
    module = lowered.compiler_ir("hlo")
    text = module.as_hlo_text()
    digest = hashlib.sha256(text.encode()).hexdigest()[:8]
    proto = module.as_serialized_hlo_module_proto()
    Path(f"{op}-{digest}.hlo.txt").write_text(text)
    Path(f"{op}-{digest}.hlo.pbtxt").write_text("".join(pbtxt(proto, MODULE)))


def pbtxt(data: bytes, message: dict[int, Any], indent: str = "") -> Iterator[str]:
    """Return the lines of a serialized message in protobuf's text format."""
    for number, value in fields(data):
        name, kind = message.get(number, (None, None))
        if name is None:
            continue
        if isinstance(kind, dict):
            yield indent + name + " {\n"
            yield from pbtxt(value, kind, indent + "  ")
            yield indent + "}\n"
        elif kind == "string":
            yield f"{indent}{name}: {quoted(value)}\n"
        else:
            yield from (f"{indent}{name}: {item}\n" for item in varints(value))


def fields(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Return the fields of a serialized message, each as bytes without the length prefix."""
    rest = iter(data)
    for byte in rest:
        tag = varint(byte, rest)
        number, wire = tag >> 3, tag & 7
        if wire == 0:
            value = [next(rest)]
            while value[-1] & 128:
                value.append(next(rest))
            yield number, bytes(value)
        else:
            size = {1: 8, 5: 4}.get(wire) or varint(next(rest), rest)
            yield number, bytes(next(rest) for _ in range(size))


def varint(byte: int, rest: Iterator[int]) -> int:
    """Return the varint whose first byte is `byte`."""
    value, shift = byte & 127, 7
    while byte & 128:
        byte = next(rest)
        value |= (byte & 127) << shift
        shift += 7
    return value


def varints(data: bytes) -> list[int]:
    """Return the numbers of a field: one number, or several packed numbers."""
    rest = iter(data)
    return [varint(byte, rest) for byte in rest]


def quoted(data: bytes) -> str:
    """Return a string literal of the text format."""
    text = data.decode().replace("\\", "\\\\").replace('"', '\\"')
    return '"' + text.replace("\n", "\\n") + '"'
