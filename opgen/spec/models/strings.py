"""The types of strings in a spec, such as names and expressions, each with its regular expression.

Every name in a spec may contain `{name}`, which stands for the op's name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Annotated

from opgen.source.frozen import dataclass
from opgen.spec.attr_types import ATTR_TYPES, FIELD_TYPES

_NO_CONTROL = r"[^\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]"
_WORD = r"(?:[A-Za-z_]|\{name\})(?:[A-Za-z0-9_]|\{name\})*"
_PART = r"(?:[A-Za-z0-9_]|\{name\})(?:[A-Za-z0-9_-]|\{name\})*"

_NAME = r"^(?:[A-Za-z]|\{name\})(?:[A-Za-z0-9_]|\{name\})*$"
_OP_NAME = r"^(?:[a-z]|\{name\})(?:[a-z0-9_]|\{name\})*$"
_SYMBOL = rf"^{_WORD}$"
FUNCTION = rf"^(?:{_PART}/)*{_WORD}\.py:{_WORD}$"
_PYTHON_FILE = rf"^(?:{_PART}/)*{_PART}\.py:{_WORD}$"
_FILE = r"[A-Za-z0-9_][A-Za-z0-9_.+-]*"
_GIVEN = r"[ \t]*\([\w, \t]*\)"
_CALL = rf"^{_FILE}:{_WORD}{_GIVEN}$"
_IN_LIBRARY = rf"^{_FILE}:{_WORD}(?:{_GIVEN})?$"
_PYTHON = rf"^{_WORD}(?:\.{_WORD})*:{_WORD}$"
_LINE = rf"^{_NO_CONTROL}*$"
_PROSE = rf"^(?:{_NO_CONTROL}|\n)*$"
_PLAIN = "|".join(n for n, t in ATTR_TYPES.items() if not t.several)
_LISTED = "|".join(n[:-2] for n, t in ATTR_TYPES.items() if t.several)
_ATTR_TYPE = rf"^(?:{_PLAIN}|(?:{_LISTED})\[(?:[1-9][0-9]?)?\])$"
_WEIGHT = r"\([A-Za-z][A-Za-z0-9_]*\)"
_REDUCTION = rf"^(?:sum|max|min|mean(?:{_WEIGHT})?|sum_exp{_WEIGHT}|same|local)$"
_FIELD_TYPE = rf"^(?:{'|'.join(FIELD_TYPES)})(?:\[[1-9][0-9]?\])?$"


def listed(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


# For each regular expression, a description of the strings that match it, for error messages.
EXPECTED = {
    _NAME: "a name: a letter, then letters, digits and `_`",
    _OP_NAME: "a lower-case name: a letter, then letters, digits and `_`",
    _SYMBOL: "a C identifier",
    FUNCTION: "a file next to the spec and a function in it, `file.py:function`",
    _PYTHON_FILE: "a file below the kernels folder and a function in it, `folder/file.py:function`",
    _CALL: "a library's file name and a call of a function in it, `libfoo.so:function(x, y)`",
    _IN_LIBRARY: "a library's file name and a function in it, `libfoo.so:function`",
    _PYTHON: "a Python module and a function in it, `module:function`",
    _LINE: "one line without control characters",
    _PROSE: "text without control characters",
    _ATTR_TYPE: f"{listed(ATTR_TYPES)} or `int[2]`",
    _REDUCTION: "`sum`, `max`, `min`, `mean`, `mean(weight)`, `sum_exp(weight)`, `same` or `local`",
    _FIELD_TYPE: f"{listed(FIELD_TYPES)} or an array such as `i64[8]`",
}


def kind_and_weight(reduction: str) -> tuple[str, str]:
    """Return the parts of a reduction: `mean` and `count` for `mean(count)`, `sum` and "" for `sum`."""
    kind, _, weight = reduction.rstrip(")").partition("(")
    return kind, weight


def is_function(text: object) -> bool:
    """Return whether `text` names a Python function that computes a size (`file.py:function`)."""
    return isinstance(text, str) and re.match(FUNCTION, text) is not None


class Called(str):
    """Metadata of an `Annotated` type: the name of the type in docs/reference.md."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Metadata of an `Annotated` type: the limits of its values, named as in pydantic's `Field`."""

    pattern: str | None = None
    min_length: int | None = None
    max_length: int | None = None
    ge: int | None = None
    lt: int | None = None


def _text(pattern: str, longest: int = 1000) -> Limits:
    return Limits(pattern=pattern, max_length=longest)


Name = Annotated[str, _text(_NAME, 64), Called("name")]
OpName = Annotated[str, _text(_OP_NAME, 64), Called("op name")]
Symbol = Annotated[str, _text(_SYMBOL, 255), Called("C identifier")]
Function = Annotated[str, _text(FUNCTION), Called("`file.py:function`")]
PythonFile = Annotated[str, _text(_PYTHON_FILE), Called("`folder/file.py:function`")]
LibraryCall = Annotated[str, _text(_CALL), Called("`libfoo.so:function(x, ...)`")]
LibraryFunction = Annotated[str, _text(_IN_LIBRARY), Called("`libfoo.so:function`")]
PythonFunction = Annotated[str, _text(_PYTHON), Called("`module:function`")]
Expression = Annotated[str, _text(_LINE), Called("expression")]
Condition = Annotated[str, _text(_LINE), Called("condition")]
Shape = Annotated[str, _text(_LINE), Called("shape")]
Line = Annotated[str, _text(_LINE), Called("text")]
Prose = Annotated[str, _text(_PROSE, 10_000), Called("text")]
AttrType = Annotated[str, _text(_ATTR_TYPE), Called("type")]
Reduction = Annotated[str, _text(_REDUCTION), Called("reduction")]
FieldType = Annotated[str, _text(_FIELD_TYPE), Called("C type")]
