"""Read dtypes, ranks and sizes from the bodies of C++ functions over PyTorch tensors."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from typing import NamedTuple

from opgen.source.frozen import dataclass
from opgen.start.cpp_functions import Function, split, until_closed
from opgen.start.draft import Variable

# Arguments are followed through at most this number of nested calls.
DEPTH = 5
# The names of element types in C, PyTorch and CUDA, and of PyTorch's `ScalarType`.
_WORDS = {
    "f64": "double kDouble kFloat64",
    "f32": "float kFloat kFloat32",
    "f16": "__half half _Float16 at::Half c10::Half Half kHalf kFloat16",
    "bf16": "__nv_bfloat16 nv_bfloat16 __bf16 at::BFloat16 c10::BFloat16 BFloat16 kBFloat16",
    "i64": "int64_t long longlong ptrdiff_t kLong kInt64 Long",
    "i32": "int int32_t kInt kInt32 Int",
    "i16": "int16_t short kShort kInt16",
    "i8": "int8_t signedchar kChar kInt8",
    "u64": "uint64_t size_t unsignedlong unsignedlonglong",
    "u32": "uint32_t unsigned unsignedint",
    "u16": "uint16_t",
    "u8": "uint8_t unsignedchar kByte kUInt8 Byte",
    "bool": "bool kBool Bool",
}
DTYPES = {word: dtype for dtype, words in _WORDS.items() for word in words.split()}
_INTEGERS = ("u8", "i8", "i16", "i32", "i64")
_FAMILIES = {
    "FLOATING_TYPES": ("f32", "f64"),
    "ALL_TYPES": ("f32", "f64", *_INTEGERS),
    "INTEGRAL_TYPES": _INTEGERS,
}
_TENSOR = r"(\w+)(?:\s*\.\s*value\(\))?\s*\.\s*"
_DATA = re.compile(
    rf"{_TENSOR}(?:const_|mutable_)?(?:data_ptr|(?:packed_)?accessor(?:32|64)?)\s*<\s*(?:const\s+)?"
    r"([\w:]+)\s*(?:,\s*(\d))?"
)
_INFO = re.compile(r"getTensorInfo\s*<\s*([\w:]+)\s*>\s*\(\s*(\w+)")
_KIND = re.compile(
    rf"{_TENSOR}(?:scalar_type|dtype)\(\)\s*==\s*(?:(?:at|torch|c10)::)?(?:ScalarType::)?(\w+)"
)
_RANK = re.compile(rf"{_TENSOR}(?:dim|ndimension)\(\)\s*==\s*(\d)\b")
SIZE = rf"{_TENSOR}(?:size\(\s*(-?\d)\s*\)|(numel)\(\)|sizes\(\)\s*\[\s*(\d)\s*\])"
_ALIAS = re.compile(rf"\b(?:auto|int|int64_t|size_t|long|unsigned)\s+(\w+)\s*=\s*{SIZE}\s*;")
_EQUAL = re.compile(rf"{SIZE}\s*==\s*(?:{SIZE}|(\w+)\b(?!\s*[.(]))")
_CHECK = re.compile(r"\b\w*(?:CHECK|ASSERT|REQUIRE|ENFORCE|assert)\w*\s*\(")
_DISPATCH = re.compile(
    r"\b(\w*?)_?DISPATCH_(FLOATING_TYPES|ALL_TYPES|INTEGRAL_TYPES)(\w*)\s*\(([^;{]*)"
)
_CALL = re.compile(r"\b((?:\w+::)*\w+)\s*\(")


class Size(NamedTuple):
    """The size of a dim of a tensor, plus a number.

    A negative index counts from the last dim. For `x.numel()`, a size if `x` has one dim, the index
    is "numel".
    """

    tensor: str
    at: int | str
    plus: int = 0


@dataclass
class Facts:
    """Properties of an op's tensors that were found in function bodies.

    `dtypes` and `ranks` map tensor names to dtypes and ranks. `sizes` maps (tensor, dim) to a size,
    and `equal` lists pairs of dims with equal sizes.
    """

    dtypes: dict[str, set[str]] = field(default_factory=dict)
    ranks: dict[str, int] = field(default_factory=dict)
    sizes: dict[Size, str] = field(default_factory=dict)
    equal: list[tuple[Size, Size]] = field(default_factory=list)
    variable: Variable | None = None

    def indexed(self, size: Size) -> Size | None:
        """Return the size with an index from the first dim, if the tensor's rank is known."""
        at, rank = size.at, self.ranks.get(size.tensor, 0)
        if at == "numel":
            return size._replace(at=0) if rank == 1 else None
        return size._replace(at=at + rank if isinstance(at, int) and at < 0 else at)


@dataclass
class Body:
    """The body of a C++ function. `names` maps its tensors and numbers to the names in the op."""

    text: str
    names: Mapping[str, str]
    aliases: dict[str, Size] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for alias, *parts in _ALIAS.findall(self.text):
            if (size := self.size(parts)) is not None:
                self.aliases[alias] = size

    def size(self, parts: Sequence[str | None]) -> Size | None:
        """Return the size that the groups of `SIZE` matched, or None if the tensor is unknown."""
        tensor, index, numel, of_sizes = parts
        if not tensor or tensor not in self.names:
            return None
        return Size(self.names[tensor], "numel" if numel else int(index or of_sizes or 0))


def facts(function: Function, known: Sequence[Function], called: Mapping[str, str]) -> Facts:
    """Return facts from the body of a function, and from the functions that it calls.

    Only called functions that receive its arguments count. `known` has the functions of all files.
    `called` maps the function's parameters to the op's names.
    """
    found = Facts()
    for body in _bodies(function, known, called, DEPTH):
        _read(body, found)
    return found


def _bodies(
    function: Function, known: Sequence[Function], called: Mapping[str, str], depth: int
) -> Iterator[Body]:
    yield Body(function.body, called)
    for match in _CALL.finditer(function.body) if depth else ():
        other, names = callee(function.body, match, known, called)
        if other is not None and other is not function and names:
            yield from _bodies(other, known, names, depth - 1)


def callee(
    text: str, match: re.Match[str], known: Sequence[Function], called: Mapping[str, str]
) -> tuple[Function | None, Mapping[str, str]]:
    """Return the function that is called in `text`, and the op's names of its parameters.

    `match` ends before the arguments of the call. If several functions have the name, return the
    first that takes an argument in `called`. `F::apply` calls `F::forward`, which also takes a
    context.
    """
    name = match[1].replace("::apply", "::forward")
    given = list(split(until_closed(text[match.end() :])))
    for other in known:
        if not other.body or not other.is_called(name):
            continue
        skipped = len(other.names) - len(given) if match[1].endswith("::apply") else 0
        pairs = zip(other.names[max(0, skipped) :], map(str.strip, given))
        if names := {parameter: called[each] for parameter, each in pairs if each in called}:
            return other, names
    return None, {}


def _read(body: Body, found: Facts) -> None:
    names, text = body.names, body.text
    for tensor, kind, rank in _DATA.findall(text):
        _say_dtype(found, names.get(tensor), kind)
        if rank and tensor in names:
            found.ranks.setdefault(names[tensor], int(rank))
    for kind, tensor in _INFO.findall(text):
        _say_dtype(found, names.get(tensor), kind)
    # A comparison is a fact only if the function checks it without an alternative (`||`).
    checks = [until_closed(text[match.end() :]) for match in _CHECK.finditer(text)]
    checked = ";".join(each for each in checks if "||" not in each)
    for tensor, kind in _KIND.findall(checked):
        _say_dtype(found, names.get(tensor), kind)
    for tensor, rank in _RANK.findall(checked):
        if tensor in names:
            found.ranks.setdefault(names[tensor], int(rank))
    for alias, size in body.aliases.items():
        if (known := found.indexed(size)) is not None:
            found.sizes.setdefault(known, alias)
    for match in _EQUAL.finditer(checked):
        one = body.size(match.groups()[:4])
        other = body.size(match.groups()[4:8]) or body.aliases.get(match[9] or "")
        sizes = [found.indexed(each) for each in (one, other) if each is not None]
        if len(sizes) == 2 and sizes[0] is not None and sizes[1] is not None:
            found.equal.append((sizes[0], sizes[1]))
    if (dispatch := _DISPATCH.search(text)) and found.variable is None:
        found.variable = _variable(dispatch)


def _say_dtype(found: Facts, tensor: str | None, kind: str) -> None:
    if tensor is not None:
        found.dtypes.setdefault(tensor, set()).add(DTYPES.get(kind, "T"))


def _variable(match: re.Match[str]) -> Variable:
    owner, family, more, arguments = match.groups()
    if owner not in ("AT", "TORCH", "THO"):
        macro = f"{owner}_DISPATCH_{family}".lstrip("_")
        return Variable(("f32", "f16", "bf16"), f"those of {macro}")
    dtypes = list(_FAMILIES[family])
    dtypes += ["f16"] if "HALF" in more else []
    if "AND" in more:
        words = re.findall(r"\w+", arguments)
        dtypes += [DTYPES[w] for w in words if w in DTYPES and DTYPES[w] not in dtypes]
    return Variable([d for d in dtypes if d not in ("c64", "c128")], "")
