"""Types for the values of keys, and `key()`, which declares a key of a model."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from typing import Annotated, Any, Literal, TypeVar

from opgen.source.frozen import dataclass
from opgen.spec.models.strings import Called, Condition, Expression, Limits, Line, Shape

SOME = Limits(min_length=1)


@dataclass(frozen=True, slots=True, eq=False)
class Doc:
    """The documentation of a key: a description with the default, and examples of values."""

    description: str
    examples: tuple[object, ...]


def doc(description: str, *examples: object) -> Any:
    """Return the documentation of a key in the `TypedDict` of a target."""
    return Doc(description, examples)


@dataclass(frozen=True, slots=True, eq=False)
class Key:
    """A key of a table in a spec: the type of its values, and its documentation.

    `tables` lists the tables that have the key; by default all tables of the model. If `late` is
    True, a string value is an expression, unless the table's `type` is `str` or `dtype`. `read`
    converts the written value and its path in the op to the field's value. By default, `type`
    determines the conversion.
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
    """Declare a field of a model, whose key in a spec is `name`, by default the field's name."""
    about = {"key": Key(name, type, Doc(description, examples), required, tables, late, read)}
    if isinstance(default, dict):
        return field(default_factory=dict, hash=False, metadata=about)
    return field(default=default, metadata=about)


# Decorates a class that only declares keys. opgen does not create objects of this class.
keys_only = dataclass(init=False, repr=False, eq=False)
T = TypeVar("T")
# A table of cases: each key is a condition or `else`, each value applies if the condition holds.
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
