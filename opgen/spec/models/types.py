"""The types of values of keys, and the declaration of a key."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from typing import Annotated, Any, Literal, TypeVar

from opgen.source.frozen import dataclass
from opgen.spec.models.strings import Called, Condition, Expression, Limits, Line, Shape

SOME = Limits(min_length=1)


@dataclass(frozen=True, slots=True, eq=False)
class Doc:
    """The text of a key in the reference: one line with its default, and examples."""

    description: str
    examples: tuple[object, ...]


def doc(description: str, *examples: object) -> Any:
    """Return the documentation of a key in a target's table."""
    return Doc(description, examples)


@dataclass(frozen=True, slots=True, eq=False)
class Key:
    """A key of a table: the values that a spec may write, and its documentation.

    `tables` lists the tables that have the key; by default all tables of its model. With `late`, a
    string is an expression, unless the `type` of the same table is `str` or `dtype`. `read`
    computes the field's value from the written value and its path in the op. By default, the type
    determines it.
    """

    name: str
    type: Any
    doc: Doc
    required: bool = False
    tables: tuple[str, ...] = ()
    late: bool = False
    read: Callable[[Any, Any], Any] | None = None


def key(
    type: Any,
    description: str,
    *examples: object,
    default: Any = None,
    name: str = "",
    required: bool = False,
    tables: tuple[str, ...] = (),
    late: bool = False,
    read: Callable[[Any, Any], Any] | None = None,
) -> Any:
    """Declare a field for the value that a spec writes under its name, or under `name`."""
    about = {"key": Key(name, type, Doc(description, examples), required, tables, late, read)}
    if isinstance(default, dict):
        return field(default_factory=dict, hash=False, metadata=about)
    return field(default=default, metadata=about)


# A class of keys without objects, for a table that is read in a different way.
keys_only = dataclass(init=False, repr=False, eq=False)
T = TypeVar("T")
# A condition or `else`, and the value if it holds.
ByCase = Annotated[dict[Condition, T], SOME]
Integer = Annotated[int, Limits(ge=-(2**63), lt=2**63)]
Positive = Annotated[int, Limits(ge=1, lt=2**31), Called("positive integer")]
Scalar = bool | Integer | float | Line
Values = Annotated[Scalar | list[Scalar], Called("value or [value, ...]")]
Drop = Annotated[Literal[False], Called("`false`")]
Forms = Annotated[list[Shape], SOME]
Extent = Annotated[list[Positive | Expression], Limits(min_length=1, max_length=3)]
Requirements = Annotated[
    list[Condition | ByCase[Line]], Called("[condition or { condition = message }, ...]")
]
Sample = Annotated[Values | list[list[Integer]], Called("value, size or [size, ...]")]
Constant = Annotated[
    bool | Integer | float | Expression, Called("number, `true`, `false` or expression")
]
