"""The types that values of keys have, and what is said of a key."""

from __future__ import annotations

from typing import Annotated, Any, Literal, get_type_hints

from pydantic import ConfigDict, Field
from typing_extensions import TypedDict

from opgen.spec.extensions import TargetError
from opgen.spec.models.strings import Called, Condition, Expression, Line, Name, Shape

STRICT = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)
SOME = Field(min_length=1)


def doc(description: str, *examples: object) -> Any:
    """What the reference says of a key: one line, its default in it, and examples."""
    return Field(description=description, examples=list(examples))


def cases(item: Any) -> Any:
    """A condition or `else`, and the `item` that holds then."""
    return Annotated[dict[Condition, item], SOME]


Integer = Annotated[int, Field(ge=-(2**63), lt=2**63)]
Positive = Annotated[int, Field(ge=1, lt=2**31), Called("positive integer")]
Scalar = bool | Integer | float | Line
Values = Annotated[Scalar | list[Scalar], Called("value or [value, ...]")]
Drop = Annotated[Literal[False], Called("`false`")]
Forms = Annotated[list[Shape], SOME]
Extent = Annotated[list[Positive | Expression], Field(min_length=1, max_length=3)]
Requirements = Annotated[
    list[Condition | cases(Line)], Called("[condition or { condition = message }, ...]")
]
Sample = Annotated[Values | list[list[Integer]], Called("value, size or [size, ...]")]
Names = dict[Name, Name | Annotated[list[Name], SOME]]


def table(name: str, about: str, *parts: Any) -> Any:
    """The model of a table that has the keys of all `parts`: models, or types by key."""
    keys: dict[str, Any] = {}
    for part in parts:
        own = part if isinstance(part, dict) else get_type_hints(part, include_extras=True)
        if taken := keys.keys() & own.keys():
            raise TargetError(f"a target cannot add `{min(taken)}`: {name} has that key")
        keys |= own
    model = TypedDict(name, keys, total=False)  # type: ignore[operator]
    model.__pydantic_config__ = STRICT
    model.__doc__ = about
    return model
