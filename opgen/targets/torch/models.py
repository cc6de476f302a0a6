"""The keys of the table `torch` in a spec, which has the options of an op for PyTorch."""

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
                "The schema of the other op. Required.",
                "old_ops::add(Tensor! out, Tensor a, Tensor b) -> ()",
            ),
        ]
    ]
    args: Annotated[
        dict[Name, Line],
        doc(
            "The names of inputs, attrs and outputs in this schema. By default they are the "
            "same as in the spec.",
            {"total": "a", "x": "b", "sum": "out"},
        ),
    ]


class Options(TypedDict, total=False):
    """The options of the table `torch` in a spec."""

    out: Annotated[bool, doc("If `true`, the op has an `.out` overload. `false` by default.", True)]
    replaces: Annotated[
        list[Replaced],
        doc(
            "Schemas of other libraries to register over this op. opgen does so only if these "
            "libraries are not loaded. By default none.",
            [
                {
                    "schema": "old_ops::add(Tensor! out, Tensor a, Tensor b) -> ()",
                    "args": {"total": "a", "x": "b", "sum": "out"},
                }
            ],
        ),
    ]
