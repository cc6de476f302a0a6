"""The types that values of keys have, and what is said of a key."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeVar, get_type_hints

from pydantic import ConfigDict, Field, with_config
from typing_extensions import TypedDict

from opgen.spec.extensions import TargetError
from opgen.spec.models.strings import Called, Condition, Expression, Line, Name, Shape

STRICT = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)
SOME = Field(min_length=1)


def doc(description: str, *examples: object) -> Any:
    """What the reference says of a key: one line, its default in it, and examples."""
    return Field(description=description, examples=list(examples))


T = TypeVar("T")
# A condition or `else`, and what holds then.
Cases = Annotated[dict[Condition, T], SOME]
Integer = Annotated[int, Field(ge=-(2**63), lt=2**63)]
Positive = Annotated[int, Field(ge=1, lt=2**31), Called("positive integer")]
Scalar = bool | Integer | float | Line
Values = Annotated[Scalar | list[Scalar], Called("value or [value, ...]")]
Drop = Annotated[Literal[False], Called("`false`")]
Forms = Annotated[list[Shape], SOME]
Extent = Annotated[list[Positive | Expression], Field(min_length=1, max_length=3)]
Requirements = Annotated[
    list[Condition | Cases[Line]], Called("[condition or { condition = message }, ...]")
]
Sample = Annotated[Values | list[list[Integer]], Called("value, size or [size, ...]")]
Constant = Annotated[
    bool | Integer | float | Expression, Called("number, `true`, `false` or expression")
]
Names = dict[Name, Name | Annotated[list[Name], SOME]]


def table(name: str, about: str | None, *parts: Any) -> Any:
    """The model of a table that has the keys of all `parts`: models, or types by key."""
    keys: dict[str, Any] = {}
    for part in parts:
        own = part if isinstance(part, dict) else get_type_hints(part, include_extras=True)
        if taken := keys.keys() & own.keys():
            raise TargetError(f"a target cannot add `{min(taken)}`: {name} has that key")
        keys |= own
    # A type checker cannot know keys that are found at run time.
    model: Any = TypedDict(name, keys, total=False)  # type: ignore[misc]
    model.__doc__ = about
    return with_config(STRICT)(model)
