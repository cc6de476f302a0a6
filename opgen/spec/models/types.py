"""The types that values of keys have, and what is said of a key."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field

from opgen.spec.models.strings import Called, Condition, Expression, Line, Shape

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
    list[Condition | cases(Line)],
    Called("[condition or { condition = message }, ...]"),
]
Sample = Annotated[Values | list[list[Integer]], Called("value, size or [size, ...]")]
