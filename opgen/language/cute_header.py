"""The C header that CuTe DSL's `export_to_c` writes: what its function is called, and takes."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

# The C types of numbers.
NUMBERS = (
    *("int8_t", "int16_t", "int32_t", "int64_t", "float", "double"),
    *("uint8_t", "uint16_t", "uint32_t", "uint64_t"),
)
STREAMS = ("cudaStream_t", "CUstream")
# How the DSL calls dtypes in the names of functions, where it was given tensors that are fake.
DTYPES = {
    "BFloat16": "bf16",
    "Float16": "f16",
    "Float32": "f32",
    "Float64": "f64",
    "Int8": "i8",
    "Int16": "i16",
    "Int32": "i32",
    "Int64": "i64",
    "Uint8": "u8",
}


class HeaderError(Exception):
    """The reason why a header is unusable, in a sentence."""


@dataclass(frozen=True, slots=True)
class Extents:
    """The sizes, or strides, that a tensor is given at run time: how many, and their C type."""

    count: int = 0
    type: str = "int64_t"


@dataclass(frozen=True, slots=True)
class CuteParameter:
    """A parameter of an exported function; a tensor has `shapes` and `strides`, and `type` is empty.

    `dtype` is a tensor's where the function's name tells it.
    """

    name: str
    type: str = ""
    shapes: Extents = Extents()
    strides: Extents = Extents()
    dtype: str = ""

    @property
    def is_tensor(self) -> bool:
        return not self.type

    @property
    def is_stream(self) -> bool:
        return self.type in STREAMS


@dataclass(frozen=True, slots=True)
class CuteFunction:
    """An exported function: `symbol`, and `init` and `load` of the code that it launches."""

    symbol: str
    init: str
    load: str
    parameters: tuple[CuteParameter, ...]


def cute_function(text: str) -> CuteFunction:
    """The function that a header declares. Raises `HeaderError`."""
    wrapper = re.search(r"\bint32_t\s+cute_dsl_(\w+)_wrapper\(([^)]*)\)\s*\{(.*?)\n\}", text, re.S)
    if wrapper is None:
        raise HeaderError("it declares no function as `export_to_c` of CuTe DSL 4 writes them")
    prefix, declared, body = wrapper.groups()
    packed = re.search(r"void \*args\[\d+\] = \{(.*?)\};", body, re.S)
    called = re.search(r"^\s*(\w+)\(args, \d+\);", body, re.M)
    init, load = f"_mlir_{prefix}_cuda_init", f"_mlir_{prefix}_cuda_load_to_device"
    if packed is None or called is None or init not in text or load not in text:
        raise HeaderError(f"`{prefix}` is not called as functions of CuTe DSL 4 are")
    module, *others = (each.strip() for each in declared.split(","))
    parameters = [_parameter(text, prefix, each) for each in others]
    order = [each.strip().lstrip("&") for each in packed[1].split(",")]
    if not module.endswith("*module") or order != [*(p.name for p in parameters), "ret"]:
        raise HeaderError(f"`{prefix}` is not given its parameters in their order, and a result")
    words = re.findall(rf"FakeTensor({'|'.join(DTYPES)})?", called[1])
    if len(words) == sum(p.is_tensor for p in parameters):
        told = iter(words)
        parameters = [
            replace(p, dtype=DTYPES.get(next(told), "")) if p.is_tensor else p for p in parameters
        ]
    return CuteFunction(called[1], init, load, tuple(parameters))


def _parameter(text: str, prefix: str, declared: str) -> CuteParameter:
    kind, _, name = declared.replace("*", " ").rpartition(" ")
    kind, name = kind.strip(), name.strip()
    if kind in (*NUMBERS, *STREAMS):
        return CuteParameter(name, kind)
    struct = re.search(rf"typedef struct \{{([^}}]*)\}} {re.escape(kind)};", text)
    if kind != f"{prefix}_Tensor_{name}_t" or struct is None:
        raise HeaderError(f"its parameter `{name}` is a `{kind}`: expected a tensor or a number")
    return CuteParameter(
        name, "", _extents(struct[1], "dynamic_shapes"), _extents(struct[1], "dynamic_strides")
    )


def _extents(fields: str, name: str) -> Extents:
    found = re.search(rf"(int32_t|int64_t) {name}\[(\d+)\];", fields)
    return Extents(int(found[2]), found[1]) if found else Extents()
