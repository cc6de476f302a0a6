"""A draft from the signature of a C or C++ function: over tensors of PyTorch, or over pointers."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from opgen.start.draft import NOTHING, Attr, Draft, Tensor
from opgen.start.op import StartError

_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.S)
_TENSOR = re.compile(r"(?:(?:torch|at)::(?:stable::)?)?Tensor$")
_DTYPES = {
    "f64": "double",
    "f32": "float",
    "f16": "__half half at::Half c10::Half _Float16",
    "bf16": "__nv_bfloat16 nv_bfloat16 at::BFloat16 c10::BFloat16 __bf16",
    "i64": "int64_t long longlong",
    "i32": "int int32_t",
    "i16": "int16_t short",
    "i8": "int8_t signedchar",
    "u64": "uint64_t size_t unsignedlong unsignedlonglong",
    "u32": "uint32_t unsigned unsignedint",
    "u16": "uint16_t",
    "u8": "uint8_t unsignedchar",
    "bool": "bool",
}
_ELEMENTS = {word: dtype for dtype, words in _DTYPES.items() for word in words.split()}
_ATTRS = {
    "float": "float",
    "double": "float",
    "bool": "bool",
    "string": "str",
    "string_view": "str",
    "vector<int64_t>": "int[]",
    "IntArrayRef": "int[]",
    "ArrayRef<int64_t>": "int[]",
    "vector<double>": "float[]",
    "ArrayRef<double>": "float[]",
}


_LITERALS: dict[str, type] = {"float": float, "int": int, "bool": bool, "str": str}


@dataclass(frozen=True)
class _Parameter:
    """A parameter: its type without qualifiers, and what they said."""

    name: str
    type: str
    default: Any
    const: bool
    pointer: bool


def from_cpp(what: str) -> Draft:
    """The draft of `FILE:FUNCTION`. Raises `StartError`."""
    path, _, name = what.rpartition(":")
    if not path or not re.fullmatch(r"\w+", name):
        raise StartError(f"expected a function as `FILE:FUNCTION`, not `{what}`")
    try:
        text = _COMMENT.sub(" ", Path(path).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise StartError(f"{path} cannot be read: {error}") from None
    found = _declaration(text, name)
    if found is None:
        from opgen.source.diagnostics import nearest

        near = nearest(name, sorted({*re.findall(r"\b(\w+)\s*\(", text)}))
        raise StartError(
            f"{path} has no function `{name}`" + (f": did you mean `{near}`?" if near else "")
        )
    types, returned, parameters = found
    source = " ".join(f"{returned} {name}({parameters})".split())
    given = [_parameter(each, name) for each in _split(parameters) if each.strip() != "void"]
    if any(each.pointer and each.type != "char" for each in given):
        return _over_pointers(name, source, types, given)
    return _over_tensors(name, source, returned, given)


def _declaration(text: str, name: str) -> tuple[list[str], str, str] | None:
    """The template's types, what is returned, and the parameters, of the first declaration."""
    for match in re.finditer(rf"\b{name}\s*\(", text):
        before = re.split(r"[;{}]|^\s*#.*$", text[: match.start()], flags=re.M)[-1].strip()
        inside = _inside(text, match.end())
        after = text[match.end() + len(inside) + 1 :].lstrip()
        template = re.match(r"template\s*<(.*?)>\s*(?=[\w:])", before, re.S)
        types = re.findall(r"(?:typename|class)\s+(\w+)", template[1]) if template else []
        returned = before[template.end() :] if template else before
        returned = re.sub(
            r'\b(?:static|inline|extern|__global__|constexpr)\b|"C"|__launch_bounds__\(.*?\)',
            " ",
            returned,
        )
        returned = re.sub(r"^.*::\s*$", "", returned).strip()
        if re.fullmatch(r"[\w:<>,\s&*]+", returned) and not re.match(
            r"return\b|else\b|new\b", returned
        ):
            if re.match(r"[;{]|noexcept|const|->|try\b", after):
                arrow = re.match(r"(?:noexcept\s*)?->\s*([\w:<>,\s]+)", after)
                return types, arrow[1].strip() if arrow else returned, inside
    return None


def _inside(text: str, start: int) -> str:
    """Up to the parenthesis that closes the one before `start`."""
    depth = 1
    for n in range(start, len(text)):
        depth += {"(": 1, ")": -1}.get(text[n], 0)
        if depth == 0:
            return text[start:n]
    return text[start:]


def _split(parameters: str) -> Iterator[str]:
    depth, begin = 0, 0
    for n, letter in enumerate(parameters):
        depth += {"(": 1, "<": 1, "{": 1, "[": 1, ")": -1, ">": -1, "}": -1, "]": -1}.get(letter, 0)
        if letter == "," and depth == 0:
            yield parameters[begin:n]
            begin = n + 1
    if parameters[begin:].strip():
        yield parameters[begin:]


def _parameter(text: str, function: str) -> _Parameter:
    declared, _, default = text.partition("=")
    words = re.sub(
        r"\b(?:__restrict__|__restrict|restrict|struct|std::|c10::(?=optional|string_view|ArrayRef|IntArrayRef))",
        " ",
        declared,
    )
    words = re.sub(r"\bstd\s*::\s*", "", words)
    match = re.fullmatch(r"(.*?[\s&*>])\s*(\w+)\s*(\[\s*\])?\s*", words.strip(), re.S)
    if match is None:
        raise StartError(f"a parameter of `{function}` has no name: `{' '.join(text.split())}`")
    type_, name, array = match.groups()
    const = bool(re.search(r"\bconst\b", type_))
    bare = re.sub(r"\bconst\b|&|\s+", "", type_)
    pointer = bare.endswith("*") or bool(array)
    return _Parameter(name, bare.rstrip("*"), _literal(default.strip()), const, pointer)


def _literal(text: str) -> Any:
    if text in ("true", "false"):
        return text == "true"
    try:
        text = re.sub(r"(?<=[\d.])[fFlLuU]+$", "", text).translate(str.maketrans("{}", "[]"))
        return ast.literal_eval(text) if text else NOTHING
    except (ValueError, SyntaxError):
        return NOTHING


def _over_tensors(name: str, source: str, returned: str, given: list[_Parameter]) -> Draft:
    """Of a function that PyTorch's tensors go through."""
    inputs, attrs, notes = [], [], []
    for each in given:
        inner = re.fullmatch(r"optional<(.*)>", each.type)
        type_ = inner[1] if inner else each.type
        of_list = re.fullmatch(r"(?:vector|ArrayRef|TensorList)(?:<(.*)>)?", type_)
        element = of_list[1] or "Tensor" if of_list else type_
        if _TENSOR.fullmatch(element):
            inputs.append(Tensor(each.name, optional=bool(inner), list=bool(of_list)))
        elif (attr := _attr(replace(each, type=type_), bool(inner))) is not None:
            attrs.append(attr)
        else:
            notes.append(f"Left out: `{each.name}`, {each.type}.")
    taken = {tensor.name for tensor in inputs} | {attr.name for attr in attrs}
    results = re.findall(r"\bTensor\b", returned)
    names = ["y"] if len(results) == 1 else [f"y{n}" for n in range(len(results))]
    free = [f"{n}_out" if n in taken else n for n in names]
    outputs = [Tensor(own, guess="its dtype") for own in free]
    if "vector" in returned:
        notes.append("It returns a vector: how many outputs that is, it does not say.")
    if not outputs and inputs:
        last = inputs[-1]
        inputs[-1] = replace(last, update=True, guess="that it is what is written")
    return Draft(name, source, inputs, attrs, outputs, notes=notes)


def _over_pointers(name: str, source: str, types: list[str], given: list[_Parameter]) -> Draft:
    """Of a function that is given data and sizes: what is not const is written."""
    pointers = [each for each in given if each.pointer and each.type != "char"]
    sizes = [each.name for each in given if not each.pointer and _is_integer(each.type)]
    dims = [size.lower() for size in sizes]
    shape = " ".join(dims) or None
    const = any(each.const for each in pointers)
    variables = {each: each if each[:1].isupper() else "T" for each in types}
    inputs, attrs, outputs, notes = [], [], [], []
    if sizes:
        notes.append(f"Taken for sizes, which an op knows by its shapes: {', '.join(sizes)}.")
    platform = "cpu"
    for each in given:
        if each in pointers:
            dtype = _ELEMENTS.get(each.type) or variables.get(each.type)
            guess = "" if dtype else f"its dtype ({each.type})"
            tensor = Tensor(each.name, dtype or "T", shape, guess)
            if each.const:
                inputs.append(tensor)
            elif const:
                outputs.append(replace(tensor, guess=guess or "that it is not read"))
            else:
                inputs.append(replace(tensor, update=True))
        elif each.name in sizes:
            continue
        elif each.type in ("cudaStream_t", "CUstream"):
            platform = "cuda"
        elif (attr := _attr(each, False)) is not None:
            attrs.append(attr)
        else:
            notes.append(f"Left out: `{each.name}`, {each.type}.")
    return Draft(name, source, inputs, attrs, outputs, platform=platform, notes=notes)


def _is_integer(type_: str) -> bool:
    return _ELEMENTS.get(type_, "bool")[0] in "iu"


def _attr(each: _Parameter, optional: bool) -> Attr | None:
    type_ = _ATTRS.get(each.type) or ("str" if each.pointer and each.type == "char" else None)
    if type_ is None and _is_integer(each.type) and not each.pointer:
        type_ = "int"
    if type_ is None:
        return None
    default = each.default
    if type_ in ("float", "bool") and type(default) in (int, float):
        default = {"float": float, "bool": bool}[type_](default)
    if not isinstance(default, _LITERALS.get(type_, list)):
        default = NOTHING
    return Attr(each.name, type_, default, optional and default is NOTHING)
