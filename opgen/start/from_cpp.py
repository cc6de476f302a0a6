"""Draft a spec from the signature of a C or C++ function over PyTorch tensors or pointers."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from opgen.source.frozen import dataclass
from opgen.start.cpp_body import DTYPES
from opgen.start.cpp_draft import with_source
from opgen.start.cpp_functions import Function
from opgen.start.cpp_sources import Sources
from opgen.start.draft import FILLED, NOTHING, Attr, Draft, Tensor
from opgen.start.op import StartError

_TENSOR = re.compile(r"(?:(?:torch|at)::(?:stable::)?)?Tensor$")
_ATTRS = {
    "float": "float",
    "double": "float",
    "bool": "bool",
    "string": "str",
    "string_view": "str",
    "vector<int64_t>": "int[]",
    "IntArrayRef": "int[]",
    "ArrayRef<int64_t>": "int[]",
    "SymIntArrayRef": "int[]",
    "SymInt": "int",
    "vector<double>": "float[]",
    "ArrayRef<double>": "float[]",
}
_LITERALS: dict[str, type] = {"float": float, "int": int, "bool": bool, "str": str}
_NO_DEFAULT = ("", "nullopt", "nullptr", "NULL", "None", "{}")
# Words that do not affect a parameter's type, and the namespaces of the types above.
_QUALIFIER = re.compile(
    r"\b(?:__restrict__|__restrict|restrict|struct|volatile|__grid_constant__)\b|\[\[.*?\]\]"
    r"|\b(?:std|(?:c10|at|torch)(?=\s*::\s*"
    r"(?:optional|string_view|(?:Sym)?Int|ArrayRef|TensorList|OptionalIntArrayRef)))\s*::"
)


@dataclass(frozen=True)
class _Parameter:
    """A parameter of a function. `type` has no qualifiers, and `default` is the source text."""

    name: str
    type: str
    default: str = ""
    const: bool = False
    pointers: int = 0

    @property
    def is_data(self) -> bool:
        return self.pointers > 1 or self.pointers == 1 and self.type != "char"

    @property
    def written(self) -> str:
        return self.type + "*" * self.pointers


def from_cpp(what: str, out: Collection[str] = ()) -> Draft:
    """Draft a spec for `FILE:FUNCTION`, which writes to the tensors `out`. Raises `StartError`."""
    match = re.fullmatch(r"(.+)(?<!:):(?!:)(\w+(?:::\w+)*)", what)
    if match is None:
        raise StartError(f"expected a function as `FILE:FUNCTION`, not `{what}`")
    path, name = match.groups()
    found, known = _found(path, name)
    first = next(filter(_is_named, found), found[0])
    source = _signature(first, name)
    kinds = {_kind(each): each for each in reversed(found)}
    given = [_parameter(each, name) for each in first.parameters]
    over = _over_pointers if any(each.is_data for each in given) else _over_tensors
    others = [_signature(f, f.name) for k, f in kinds.items() if k != _kind(first)]
    draft = replace(over(Draft(name, source, [], [], []), first, given), others=others[::-1])
    if over is _over_pointers:
        return draft
    bodies = [each for each in found if each.body and each.names == first.names] or [first]
    draft = _with_filled(draft, out)
    return with_source(draft, bodies[0], known, {each: each for each in first.names})


def _found(path: str, name: str) -> tuple[list[Function], Sequence[Function]]:
    """Return the functions called `name`, and all functions of the file at `path`.

    Raises `StartError` if no function has this name.
    """
    sources = Sources.read([Path(path)])
    text, known = sources.text, sources.functions
    found = [each for each in known if each.is_called(name)]
    if found:
        return [each for each in found if each.local == found[0].local], known
    from opgen.source.diagnostics import nearest

    near = nearest(
        name, {each.name if "::" in name else each.parts[-1] for each in known if not each.local}
    )
    said = f"{path} has no function `{name}`"
    last = name.rpartition("::")[2]
    if last not in {each.parts[-1] for each in known} and re.search(rf"\b{last}\s*\(", text):
        said += f" that could be read: it is looked for as `TYPE {last}(PARAMETERS)`"
    elif near:
        said += f": did you mean `{near}`?"
    raise StartError(said)


def _signature(function: Function, name: str) -> str:
    given = ",".join(function.parameters)
    return " ".join(f"{function.returned} {name}({given})".split())


def _kind(function: Function) -> tuple[str, ...]:
    """Return the name and parameter types: the same value for all declarations of one overload."""
    given = function.parameters
    read = [_read(each) or _read(f"{each} x") or _Parameter("", _bare(each)) for each in given]
    types = (f"{'const ' * each.const}{each.written}" for each in read)
    return function.name, *types


def _is_named(function: Function) -> bool:
    return all(_read(each) for each in function.parameters)


def _parameter(text: str, function: str) -> _Parameter:
    found = _read(text)
    if found is None:
        raise StartError(f"a parameter of `{function}` has no name: `{' '.join(text.split())}`")
    return found


def _read(text: str) -> _Parameter | None:
    """Parse the declaration of a parameter. Return None if the parameter has no name."""
    declared, _, default = text.partition("=")
    words = _QUALIFIER.sub(" ", declared).strip()
    match = re.fullmatch(r"(.*?[\s&*>])\s*(\w+)\s*((?:\[[^\]]*\]\s*)*)", words, re.S)
    if match is None or match[2] in DTYPES or match[2] in ("const", "char", "unsigned"):
        return None
    type_, name, array = match.groups()
    pointers = type_.count("*") + bool(array)
    const = bool(re.search(r"\bconst\b", type_.partition("*")[0]))
    return _Parameter(name, _bare(type_).replace("*", ""), default.strip(), const, pointers)


def _bare(type_: str) -> str:
    return re.sub(r"\bconst\b|&|\s+", "", _QUALIFIER.sub(" ", type_))


def _literal(text: str) -> Any:
    if text in ("true", "false"):
        return text == "true"
    try:
        text = re.sub(r"(?<=[\d.])[fFlLuU]+$", "", text).translate(str.maketrans("{}", "[]"))
        return ast.literal_eval(text) if text else NOTHING
    except (ValueError, SyntaxError):
        return NOTHING


def _over_tensors(draft: Draft, function: Function, given: Sequence[_Parameter]) -> Draft:
    """Return the draft with the parameters of a function over PyTorch tensors added."""
    inputs, attrs, notes, left_out = [], [], [], {}
    for each in given:
        inner = re.fullmatch(r"optional<(.*)>|Optional(IntArrayRef)", each.type)
        type_ = inner[1] or inner[2] if inner else each.type
        of_list = re.fullmatch(r"(?:vector|ArrayRef|TensorList)(?:<(.*)>)?", type_)
        element = of_list[1] or "Tensor" if of_list else type_
        if _TENSOR.fullmatch(element):
            inputs.append(Tensor(each.name, optional=bool(inner), list=bool(of_list)))
        elif (attr := _attr(replace(each, type=type_), function.types, bool(inner))) is not None:
            attrs.append(attr)
        else:
            left_out[each.name] = each.written
    taken = {tensor.name for tensor in inputs} | {attr.name for attr in attrs}
    results = re.findall(r"\bTensor\b", function.returned)
    names = ["y"] if len(results) == 1 else [f"y{n}" for n in range(len(results))]
    free = [f"{n}_out" if n in taken else n for n in names]
    outputs = [Tensor(own, guess="its dtype") for own in free]
    if "vector" in function.returned:
        notes.append("It returns a vector: how many outputs that is, it does not say.")
    return replace(
        draft, inputs=inputs, attrs=attrs, outputs=outputs, notes=notes, left_out=left_out
    )


def _with_filled(draft: Draft, out: Collection[str]) -> Draft:
    """Return the draft, with outputs if the function returns nothing.

    The outputs are the tensors that the function only writes: those in `out`, or those with names
    such as `output`. If there are none, the function is assumed to update its last tensor.
    """
    if draft.outputs or not draft.inputs:
        return draft
    filled = [t for t in draft.inputs if t.name in out]
    filled = filled or [t for t in draft.inputs if FILLED.fullmatch(t.name) and not t.list]
    if filled and len(filled) < len(draft.inputs):
        guess = {t.name: "" if t.name in out else "that it is not read, " for t in filled}
        outputs = [replace(t, guess=f"{guess[t.name]}its dtype") for t in filled]
        rest = [t for t in draft.inputs if t not in filled]
        return replace(draft, inputs=rest, outputs=outputs)
    *rest, last = draft.inputs
    last = replace(last, update=True, guess="that it is what is written")
    return replace(draft, inputs=[*rest, last])


def _over_pointers(draft: Draft, function: Function, given: Sequence[_Parameter]) -> Draft:
    """Return the draft with the parameters of a function over data pointers and sizes added.

    Pointers to const become inputs, and other pointers become outputs. If no pointer is const,
    every pointer becomes an input that the function updates.
    """
    sizes = [
        each.name
        for each in given
        if not each.pointers and _is_integer(each.type) and _is_size(each.name, function.body)
    ]
    shape = " ".join(_dims(sizes, [each.name for each in given])) or None
    const = any(each.const for each in given if each.is_data)
    inputs, attrs, outputs, left_out = [], [], [], {}
    platform = "cuda" if function.kernel else draft.platform
    for each in given:
        if each.is_data:
            tensor = _tensor(each, function.types, shape)
            if each.const:
                inputs.append(tensor)
            elif const:
                outputs.append(replace(tensor, guess=tensor.guess or "that it is not read"))
            else:
                inputs.append(replace(tensor, update=True))
        elif each.name in sizes:
            continue
        elif each.type in ("cudaStream_t", "CUstream"):
            platform = "cuda"
        elif (attr := _attr(each, function.types, False)) is not None:
            attrs.append(attr)
        else:
            left_out[each.name] = each.written
    return replace(
        draft,
        inputs=inputs,
        attrs=attrs,
        outputs=outputs,
        platform=platform,
        notes=_sizes_note(sizes),
        left_out=left_out,
    )


def _is_size(name: str, body: str) -> bool:
    """Return True if an integer parameter is probably a size.

    The function's body uses a size as a bound or as a factor, or does not use it at all.
    """
    if not re.search(rf"\b{name}\b", body):
        return True
    return bool(re.search(rf"(?:<=?|[*/%\[])\s*{name}\b|\b{name}\s*(?:>=?|[*/%])", body))


def _dims(sizes: Sequence[str], parameters: Sequence[str]) -> list[str]:
    """Return a dim name for each size: its name in lower case.

    If another parameter has this name, `_size` is added.
    """
    found = []
    for size in sizes:
        dim = size.lower()
        found.append(f"{dim}_size" if dim != size and dim in parameters else dim)
    return found


def _sizes_note(sizes: Sequence[str]) -> list[str]:
    said = f"Taken for sizes, which an op knows by its shapes: {', '.join(sizes)}."
    return [said] if sizes else []


def _tensor(each: _Parameter, types: Sequence[str], shape: str | None) -> Tensor:
    """Return the draft's tensor for a parameter that is a data pointer."""
    dtype = DTYPES.get(each.type)
    if dtype is None and each.type in types:
        dtype = each.type if each.type[:1].isupper() else "T"
    guess = "" if dtype else f"its dtype ({each.type})"
    if each.pointers > 1:
        guess = f"that it is one tensor ({each.written})"
    return Tensor(each.name, dtype or "T", shape, guess)


def _is_integer(type_: str) -> bool:
    return DTYPES.get(type_, "bool")[0] in "iu"


def _attr_type(each: _Parameter, types: Sequence[str]) -> tuple[str, str] | None:
    """Return the attr type of a parameter, and a note if the type is a guess."""
    if each.pointers:
        return ("str", "") if each.type == "char" and each.pointers == 1 else None
    if each.type in _ATTRS:
        return _ATTRS[each.type], ""
    if _is_integer(each.type):
        return "int", ""
    if each.type in types or each.type in DTYPES or each.type.endswith("::Scalar"):
        return "float", f"its type ({each.type})"
    return None


def _attr(each: _Parameter, types: Sequence[str], optional: bool) -> Attr | None:
    found = _attr_type(each, types)
    if found is None:
        return None
    type_, guess = found
    default = _literal(each.default)
    if type_ in ("float", "bool") and type(default) in (int, float):
        default = {"float": float, "bool": bool}[type_](default)
    if not isinstance(default, _LITERALS.get(type_, list)):
        default = NOTHING
    if default is NOTHING and each.default.rpartition("::")[2] not in _NO_DEFAULT:
        lost = f"its default ({' '.join(each.default.split())})"
        guess = f"{guess}, {lost}" if guess else lost
    return Attr(each.name, type_, default, optional and default is NOTHING, guess)
