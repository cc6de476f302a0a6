"""Read dtypes, ranks, sizes and results from the bodies of C++ functions over PyTorch tensors."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace

from opgen.source.frozen import dataclass
from opgen.start.cpp_functions import Function, split
from opgen.start.draft import Draft, Tensor, Variable, is_free
from opgen.start.shapes import NAMES

# Arguments are followed through at most this number of nested calls.
DEPTH = 5
_SCALARS = {
    "f64": "double kDouble kFloat64",
    "f32": "float kFloat kFloat32",
    "f16": "at::Half c10::Half Half kHalf kFloat16",
    "bf16": "at::BFloat16 c10::BFloat16 BFloat16 kBFloat16",
    "i64": "int64_t long kLong kInt64 Long",
    "i32": "int int32_t kInt kInt32 Int",
    "i16": "int16_t short kShort kInt16",
    "i8": "int8_t kChar kInt8",
    "u8": "uint8_t kByte kUInt8 Byte",
    "bool": "bool kBool Bool",
}
_DTYPES = {word: dtype for dtype, words in _SCALARS.items() for word in words.split()}
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
_SIZE = rf"{_TENSOR}(?:size\(\s*(-?\d)\s*\)|(numel)\(\)|sizes\(\)\s*\[\s*(\d)\s*\])"
_ALIAS = re.compile(rf"\b(?:auto|int|int64_t|size_t|long|unsigned)\s+(\w+)\s*=\s*{_SIZE}\s*;")
_EQUAL = re.compile(rf"{_SIZE}\s*==\s*(?:{_SIZE}|(\w+)\b(?!\s*[.(]))")
_DISPATCH = re.compile(
    r"\b(\w*?)_?DISPATCH_(FLOATING_TYPES|ALL_TYPES|INTEGRAL_TYPES)(\w*)\s*\(([^;{]*)"
)
_MADE = re.compile(
    r"\b(\w+)\s*=\s*(?:(?:at|torch)::(empty|zeros|ones|full)(_like)?"
    r"|(\w+)\s*\.\s*new_(?:empty|zeros|ones|full))\s*\("
)
_RETURN = re.compile(
    r"\breturn\s+(?:\{|(?:std::)?(?:make_tuple|tuple\s*<[^;]*>)\s*[({])?\s*([\w\s,]+?)\s*[)}]?\s*;"
)
_CALL = re.compile(r"\b((?:\w+::)*\w+)\s*\(")

# A size: the name of a tensor and the index of a dim. A negative index counts from the last dim.
Size = tuple[str, int]


@dataclass
class Facts:
    """Facts about an op's tensors that were found in function bodies.

    `dtypes` and `ranks` map tensor names to dtypes and ranks. `sizes` and `equal` are about dims.
    """

    dtypes: dict[str, str] = field(default_factory=dict)
    ranks: dict[str, int] = field(default_factory=dict)
    sizes: dict[Size, str] = field(default_factory=dict)
    equal: list[tuple[Size, Size]] = field(default_factory=list)
    variable: Variable | None = None
    results: list[Result] = field(default_factory=list)


@dataclass(frozen=True)
class Result:
    """A tensor that a function creates and returns: like another tensor, or with given sizes."""

    name: str
    like: str = ""
    sizes: Sequence[str | Size] | None = None
    dtype: str = ""


def facts(function: Function, known: Sequence[Function], called: Mapping[str, str]) -> Facts:
    """Return facts from the body of a function, and of the functions that receive its arguments.

    `known` has the functions of all files. `called` maps the function's parameters to the op's
    names.
    """
    found = Facts()
    for body, names in _bodies(function, known, called, DEPTH):
        _read(body, names, found)
    return found


def _bodies(
    function: Function, known: Sequence[Function], called: Mapping[str, str], depth: int
) -> Iterator[tuple[str, Mapping[str, str]]]:
    yield function.body, called
    for match in _CALL.finditer(function.body) if depth else ():
        name = match[1].replace("::apply", "::forward")
        given = list(split(_until_closed(function.body[match.end() :])))
        for other in known:
            if other is function or not other.body or not other.is_called(name):
                continue
            skipped = len(other.names) - len(given) if match[1].endswith("::apply") else 0
            names = {
                parameter: called[argument.strip()]
                for parameter, argument in zip(other.names[max(0, skipped) :], given)
                if argument.strip() in called
            }
            if names:
                yield from _bodies(other, known, names, depth - 1)
                break


def _until_closed(text: str) -> str:
    depth = 1
    for at, character in enumerate(text):
        depth += (character in "([{") - (character in ")]}")
        if depth == 0:
            return text[:at]
    return text


def _read(body: str, called: Mapping[str, str], found: Facts) -> None:
    made = {match[1]: match for match in _MADE.finditer(body)}
    results = _returned(body, made)
    names = {**called, **{name: name for name in results if name not in called}}
    for tensor, kind, rank in _DATA.findall(body):
        _say_dtype(found, names.get(tensor), kind)
        if rank and tensor in names:
            found.ranks.setdefault(names[tensor], int(rank))
    for kind, tensor in _INFO.findall(body):
        _say_dtype(found, names.get(tensor), kind)
    for tensor, kind in _KIND.findall(body):
        _say_dtype(found, names.get(tensor), kind)
    for tensor, rank in _RANK.findall(body):
        if tensor in names:
            found.ranks.setdefault(names[tensor], int(rank))
    aliases: dict[str, Size] = {}
    for alias, *size in _ALIAS.findall(body):
        if (at := _size(size, names, found)) is not None:
            aliases[alias] = at
            if at[0] in called.values():
                found.sizes.setdefault(at, alias)
    for match in _EQUAL.finditer(body):
        one = _size(match.groups()[:4], names, found)
        other = (
            _size(match.groups()[4:8], names, found) if match[5] else aliases.get(match[9] or "")
        )
        if one is not None and other is not None:
            found.equal.append((one, other))
    if (dispatch := _DISPATCH.search(body)) and found.variable is None:
        found.variable = _variable(dispatch)
    if not found.results:
        found.results = [_result(body, made[n], names, aliases) for n in results if n in made]
        if len(found.results) != len(results):
            found.results = []


def _say_dtype(found: Facts, tensor: str | None, kind: str) -> None:
    if tensor is not None:
        found.dtypes.setdefault(tensor, _DTYPES.get(kind, "T"))


def _size(parts: Sequence[str | None], names: Mapping[str, str], found: Facts) -> Size | None:
    """Return the tensor and dim that an expression such as `x.size(i)` refers to, or None.

    The other known expressions are `x.sizes()[i]`, and `x.numel()` for a tensor with one dim.
    """
    tensor, index, numel, of_sizes = parts
    if not tensor or tensor not in names:
        return None
    name = names[tensor]
    if numel:
        return (name, 0) if found.ranks.get(name) == 1 else None
    at, rank = int(index or of_sizes or 0), found.ranks.get(name)
    return (name, at + rank if at < 0 and rank else at)


def _variable(match: re.Match[str]) -> Variable:
    owner, family, more, arguments = match.groups()
    if owner not in ("AT", "TORCH", "THO"):
        macro = f"{owner}_DISPATCH_{family}".lstrip("_")
        return Variable(("f32", "f16", "bf16"), f"those of {macro}")
    dtypes = list(_FAMILIES[family])
    dtypes += ["f16"] if "HALF" in more else []
    if "AND" in more:
        words = re.findall(r"\w+", arguments)
        dtypes += [_DTYPES[w] for w in words if w in _DTYPES and _DTYPES[w] not in dtypes]
    return Variable([d for d in dtypes if d not in ("c64", "c128")], "")


def _returned(body: str, made: Mapping[str, object]) -> list[str]:
    """Return the names in the last `return` that returns a tensor in `made`, or an empty list."""
    for text in reversed(_RETURN.findall(body)):
        names = re.findall(r"\w+", text)
        if names and any(name in made for name in names):
            return names
    return []


def _result(
    body: str, match: re.Match[str], names: Mapping[str, str], aliases: Mapping[str, Size]
) -> Result:
    name, _, like, owner = match.groups()
    given = [each.strip() for each in split(_until_closed(body[match.end() :]))]
    options = " ".join(given[1:])
    source = owner or (
        given[0]
        if like
        else (re.findall(r"(\w+)\s*\.\s*(?:scalar_type|dtype|options)\(\)", options) or [""])[0]
    )
    kinds = [_DTYPES[w] for w in re.findall(r"k[A-Z]\w*", options) if w in _DTYPES]
    dtype = kinds[0] if kinds else names.get(source, "")
    if like:
        return Result(name, names.get(given[0], ""), dtype=dtype)
    if shape := re.fullmatch(r"(\w+)\s*\.\s*sizes\(\)", given[0]):
        return Result(name, names.get(shape[1], ""), dtype=dtype)
    if not given[0].startswith("{"):
        return Result(name, dtype=dtype)
    sizes: list[str | Size] = []
    for each in split(given[0][1:-1]):
        text = each.strip()
        size = re.fullmatch(_SIZE, text)
        if text in aliases:
            sizes.append(aliases[text])
        elif size and size[1] in names and not size[3]:
            sizes.append((names[size[1]], int(size[2] or size[4])))
        elif text in names:
            sizes.append(names[text])
        elif re.fullmatch(r"\d+", text):
            sizes.append(text)
        else:
            return Result(name, dtype=dtype)
    return Result(name, sizes=sizes, dtype=dtype)


def with_facts(draft: Draft, found: Facts) -> Draft:
    """Return the draft, extended by the facts that were found in the op's C++ code."""
    dims = _Dims(draft, found)

    def tensor(each: Tensor) -> Tensor:
        if each.name in found.ranks and not each.list:
            each = replace(each, shape=dims.shape(each.name), known=True)
        dtype = found.dtypes.get(each.name)
        return replace(each, dtype=dtype) if dtype and dtype != "T" else each

    inputs = [tensor(each) for each in draft.inputs]
    draft = replace(draft, inputs=inputs)
    if found.variable is not None:
        draft = replace(draft, dtypes={"T": found.variable})
    fresh = [each for each in draft.outputs if each.name not in dims.named]
    if len(found.results) != len(fresh):
        return draft
    known = {each.name: each for each in inputs}
    taken = {*known, *(attr.name for attr in draft.attrs)}
    made = []
    for result, each in zip(found.results, fresh):
        like = known.get(result.like)
        guesses = [g for g in each.guess.split(", ") if g != "its dtype"]
        if result.dtype in known:
            each = replace(each, dtype=known[result.dtype].dtype, guess=", ".join(guesses))
        elif result.dtype:
            each = replace(each, dtype=result.dtype, guess=", ".join(guesses))
        if like is not None:
            each = replace(each, shape=like.shape, known=True)
        elif result.sizes is not None and None not in (terms := [*map(dims.term, result.sizes)]):
            each = replace(each, shape=" ".join(filter(None, terms)), known=True)
        name = result.name if result.name not in taken and is_free(result.name) else each.name
        made.append(replace(each, name=name))
    return replace(draft, outputs=made)


class _Dims:
    """The names for the dims of inputs with known rank."""

    def __init__(self, draft: Draft, found: Facts) -> None:
        self._found = found
        self.named = {each.name for each in draft.inputs}
        self._taken = {
            *self.named,
            *(a.name for a in draft.attrs),
            *(o.name for o in draft.outputs),
        }
        self._names: dict[Size, str] = {}
        for name, rank in found.ranks.items():
            for at in range(rank):
                self._names[name, at] = self._name((name, at))

    def shape(self, tensor: str) -> str:
        return " ".join(self._names[tensor, at] for at in range(self._found.ranks[tensor]))

    def term(self, size: str | Size) -> str | None:
        """Return the dim name or number for a result's size, or None if the rank is unknown."""
        if isinstance(size, str):
            return size
        name, at = size
        rank = self._found.ranks.get(name, 0)
        return self._names.get((name, at + rank if at < 0 else at))

    def _name(self, size: Size) -> str:
        for one, other in self._found.equal:
            for a, b in ((one, other), (other, one)):
                if a == size and b in self._names:
                    return self._names[b]
        alias = self._found.sizes.get(size, "").lower()
        fresh = [alias, f"{alias}_size"] if alias else []
        for name in (*fresh, *NAMES, *(f"n{n}" for n in range(99))):
            if name and is_free(name) and name not in self._taken:
                self._taken.add(name)
                return name
        raise AssertionError(size)
