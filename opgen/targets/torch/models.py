"""The keys of `torch`, the options of an op for PyTorch."""

from __future__ import annotations

from typing import Annotated, Required

from typing_extensions import TypedDict

from opgen.spec.models.strings import Line, Name
from opgen.spec.models.types import doc


class Replaced(TypedDict, total=False):
    """An op of another library that this op replaces."""

    schema: Required[
        Annotated[
            Line,
            doc(
                "Its schema. Required.",
                "old_ops::add(Tensor! out, Tensor a, Tensor b) -> ()",
            ),
        ]
    ]
    args: Annotated[
        dict[Name, Line],
        doc(
            "What the schema calls inputs, attrs and outputs. By default as they are called here.",
            {"total": "a", "x": "b", "sum": "out"},
        ),
    ]


class Options(TypedDict, total=False):
    """Options of the PyTorch target."""

    out: Annotated[bool, doc("Whether there is an `.out` overload. `false` by default.", True)]
    replaces: Annotated[
        list[Replaced],
        doc(
            "The schemas of other libraries that are registered over this op, if these libraries "
            "are not loaded. By default none.",
            [
                {
                    "schema": "old_ops::add(Tensor! out, Tensor a, Tensor b) -> ()",
                    "args": {"total": "a", "x": "b", "sum": "out"},
                }
            ],
        ),
    ]
