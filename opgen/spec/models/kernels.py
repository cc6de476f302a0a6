"""Models of the kernels of an op."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import field, replace
from typing import Annotated, Any, Generic, Literal, TypeVar

from opgen.source.diagnostics import Path
from opgen.source.frozen import dataclass
from opgen.spec.cases import Cases
from opgen.spec.extensions import platforms
from opgen.spec.models.reading import Options, Requirement, frozen, read
from opgen.spec.models.rules import Promise
from opgen.spec.models.strings import (
    Expression,
    LibraryCall,
    LibraryFunction,
    Name,
    PythonFile,
    Symbol,
)
from opgen.spec.models.types import (
    SOME,
    ByCase,
    Constant,
    Extent,
    Integer,
    Positive,
    Requirements,
    key,
    keys_only,
)

E = TypeVar("E")  # an expression: its text, or parsed
# The entry of `kernels` for the op's reference, which runs calls that no kernel accepts.
REFERENCE = "reference"
*_OTHERS, _LAST = (f"`{platform}`" for platform in platforms())
PLATFORMS = f"{', '.join(_OTHERS)} or {_LAST}"
Place: Any = Literal[(*platforms(), REFERENCE)]


# The keys, on all platforms, that name the function of a kernel not compiled from C++ sources.
_NAMES = ("call", "tvm_ffi", "triton")


@dataclass(frozen=True)
class KernelKeys(Generic[E]):
    """The keys of a kernel that are the same in the spec (`KernelSpec`) and in the IR."""

    platform: str = key(
        Place,
        f"The platform ({PLATFORMS}), or `reference` for the op's reference. Required.",
        "cuda",
        default="",
        name="on",
        required=True,
    )
    # True if the platform has several kernels, or if the kernel has a `name` or `guarantees`.
    listed: bool = False
    # If the kernel is not compiled from C++ sources: its function, and the key with the function.
    named: str | None = None
    kind: str = ""
    # The values of the keys that only this platform has.
    options: Options = field(default_factory=Options, hash=False)
    symbol: Cases[str] = key(
        Symbol | ByCase[Symbol],
        "The name of the kernel's function. The op's name by default.",
        "nms_by_tiles",
        default=Cases(),
    )
    name: str | None = key(
        Symbol,
        "The kernel's name in `which`, `kernels` and `OPGEN_KERNELS`. The symbol by default.",
        "by_fours",
    )
    dispatch: tuple[str, ...] | None = key(
        list[Name],
        "The dtype variables that are template parameters of the kernel. Tensors of other "
        "variables are untyped. By default all variables.",
        ["T"],
    )
    index: Literal["i32", "i64"] = key(
        Literal["i32", "i64"],
        "The type of indices. With `i32` the kernel does not accept larger tensors. `i64` "
        "by default.",
        "i32",
        default="i64",
    )
    grid: tuple[E | int, ...] = key(
        Extent,
        "The number of instances of the kernel that run, in up to three dims. By default " "one.",
        ["blocks"],
        default=(),
    )
    block: tuple[E | int, ...] = key(
        Extent, "The number of threads of an instance, in up to three dims.", [128], default=()
    )
    workspace: str | None = key(
        Symbol,
        "A C++ function that takes the descriptor and the device, and returns the number "
        "of bytes of scratch memory.",
        "column_sums_bytes",
        name="scratch",
    )
    require: tuple[Requirement[E], ...] = key(
        Requirements,
        "Conditions on a call for this kernel, in addition to those of the op. They may "
        "use the device's `arch` and `sms`.",
        ["arch >= 80"],
        default=(),
    )
    call: str | None = key(
        LibraryCall,
        "A call to a function in an existing library. Its arguments are tensors, descriptor fields "
        "and `stream`, in the order of the function's parameters.",
        "libfoo.so:scale(x, y, n, by, stream)",
    )
    tvm_ffi: str | None = key(
        LibraryFunction,
        "A function that an existing library exports with tvm-ffi, and its arguments. By default "
        "the arguments are inputs, results, workspace and attrs.",
        "libfoo.so:scale(y, x, by)",
    )
    # The library that `call` or `tvm_ffi` names, and the arguments that `tvm_ffi` lists.
    library: str | None = None
    args: tuple[str, ...] = ()


def _constants(table: Any, path: Path) -> Mapping[str, Any]:
    """Return the table `constexpr` with its lists as tuples."""
    entries = table.items() if isinstance(table, dict) else ()
    return {name: frozen(value) for name, value in entries}


@dataclass(frozen=True)
class TritonSpec:
    """A Triton function, its constants, and options for its compilation and launch."""

    function: str = key(
        PythonFile,
        "The function, in a file in the kernels folder. Required.",
        "norms/norms.py:rms_norm",
        default="",
        required=True,
    )
    constants: Mapping[str, Any] = key(
        dict[Name, Constant | ByCase[Annotated[list[Integer], SOME]]],
        "The `tl.constexpr` parameters. Each is a constant, a condition, or an expression "
        "with a list of values. opgen compiles code for each value. A call uses the "
        "smallest value that is not below the expression.",
        {"ROWS": 32, "COLUMNS": 64},
        {"BLOCK": {"d": [1024, 8192]}},
        default={},
        name="constexpr",
        read=_constants,
    )
    aligned: tuple[str, ...] = key(
        list[Name],
        "Tensors and integers that are often multiples of 16. opgen compiles a second, "
        "faster version of the code for such calls.",
        ["x", "weight", "y", "d"],
        default=(),
    )
    num_warps: int = key(Positive, "The warps of a program. Default: 4.", 8, default=4)
    num_stages: int = key(
        Positive, "The stages of its software pipeline. Default: 3.", 2, default=3
    )


@dataclass(frozen=True)
class KernelSpec(KernelKeys[str]):
    """A kernel for one platform. Given as just a platform, it has the name of the op."""

    # The path of the kernel in the op.
    path: Path = ()
    # The keys that the spec writes for this kernel.
    given: tuple[str, ...] = ()
    by_triton: TritonSpec | None = key(
        TritonSpec,
        "A kernel in Triton, which `opgen build` compiles.",
        {"function": "norms/norms.py:rms_norm"},
        name="triton",
    )
    tune: Mapping[str, tuple[int, ...]] = key(
        dict[Name, Annotated[list[Integer], SOME]],
        "The possible values of each parameter. `opgen tune` chooses the best for a "
        "device. Before that, the kernel uses the first value.",
        {"kib": [128, 32, 64, 256, 512, 1024]},
        default={},
    )
    guarantees: tuple[str, ...] | None = key(
        list[Promise],
        "The guarantees of this kernel, if the op has several: `deterministic`, "
        "`invariant` or `exact`. A program can restrict calls to kernels with a "
        "guarantee. By default the op's `guarantees`.",
        [],
    )

    @property
    def triton(self) -> str | None:
        """Return the kernel's Triton function; None if the kernel is not written in Triton."""
        return self.by_triton.function if self.by_triton else None

    @property
    def constexpr(self) -> Mapping[str, bool | int | float | str]:
        """Return the constants of the Triton function: literals, or expressions as text."""
        constants = self.by_triton.constants if self.by_triton else {}
        return {n: next(iter(v)) if isinstance(v, dict) else v for n, v in constants.items()}

    def path_of_constant(self, name: str) -> Path:
        """Return the path, in the op, of the Triton constant `name`."""
        return (*self.path, "triton", "constexpr", name)

    @property
    def values(self) -> Mapping[str, tuple[int, ...]]:
        """Return the values of each Triton constant for which the spec lists several values."""
        constants = self.by_triton.constants if self.by_triton else {}
        return {n: next(iter(v.values())) for n, v in constants.items() if isinstance(v, dict)}

    @property
    def blocks(self) -> Mapping[str, int | str]:
        """Return the `blocks` of a Pallas kernel: the size of a block, by dim or group."""
        return self.options["blocks"] or {}

    @property
    def bounds(self) -> tuple[str, ...]:
        """Return the conditions on calls that follow from Triton constants with a list of values.

        The value of the constant's expression must not exceed the largest value in the list.
        """
        pairs = ((self.constexpr.get(name), values) for name, values in self.values.items())
        return tuple(f"({text}) <= {max(each)}" for text, each in pairs if isinstance(text, str))


def kernels(given: Any, path: Path) -> tuple[KernelSpec, ...]:
    """Return the kernels in the list `given`, in order of preference, without the reference."""
    entries = list(enumerate(given)) if isinstance(given, list) else []
    found = [_kernel((*path, n), entry) for n, entry in entries if place_of(entry) in platforms()]
    several = Counter(kernel.platform for kernel in found)
    return tuple(
        (
            replace(each, listed=True)
            if several[each.platform] > 1 or {"name", "guarantees"} & {*each.given}
            else each
        )
        for each in found
    )


def place_of(entry: Any) -> Any:
    """Return the platform, or `reference`, of an entry of `kernels` (a table or a string)."""
    return entry.get("on") if isinstance(entry, dict) else entry


def _kernel(path: Path, entry: Any) -> KernelSpec:
    if not isinstance(entry, dict):
        return KernelSpec(entry, path=path)
    about = platforms()[entry["on"]]
    more: dict[str, Any] = {}
    kind = next((key for key in (*_NAMES, about.function) if entry.get(key)), "")
    if text := entry.get("call"):
        more["library"], _, more["call"] = text.partition(":")
    if text := entry.get("tvm_ffi"):
        more["library"], _, text = text.partition(":")
        more["tvm_ffi"], _, given = map(str.strip, text.partition("("))
        more["args"] = tuple(re.findall(r"\w+", given))
    return read(
        KernelSpec,
        entry,
        path,
        path=path,
        named=_named(entry, kind),
        kind=kind,
        options=Options((key, frozen(entry[key])) for key in about.keys if key in entry),
        given=(*(key for key in entry if key != "on"), *entry.get("triton", ())),
        **more,
    )


def _named(entry: Mapping[str, Any], kind: str) -> str | None:
    """Return the function that the kernel `entry` names by the key `kind`, if there is one."""
    value = entry.get(kind)
    return value.get("function") if isinstance(value, dict) else value


@keys_only
class CostKeys:
    """The cost of a call. opgen derives the bytes that it moves."""

    flops: Any = key(
        Expression,
        "The number of floating-point operations, for PyTorch's flop counter and for "
        "benchmarks.",
        "4*numel(x)",
    )
    transcendentals: Any = key(
        Expression,
        "The number of exponentials, logarithms and similar functions, for benchmarks.",
        "numel(logits)",
    )
    read: Any = key(
        Expression,
        "The number of bytes that a call reads, for benchmarks. Set it if the op reads "
        "only a part of its inputs.",
        "n*d*bits(T)//8",
    )
