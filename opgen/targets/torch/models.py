"""The keys of `torch`, the options of an op for PyTorch."""

from __future__ import annotations

from typing import Annotated, Required

from typing_extensions import TypedDict

from opgen.spec.models.strings import Line, Name, Python
from opgen.spec.models.types import SOME, Names, doc

REMOVED = {
    "TorchOptions": {
        "optimizer": "write the optimizer in `<family>_torch.py` next to the spec, which the package"
        " copies and offers (docs/language/modules.md)",
    }
}


class Patch(TypedDict, total=False):
    """Classes whose forward the op computes. Expressions name `self`, `torch` and forward's parameters."""

    of: Required[
        Annotated[
            Annotated[list[Line], SOME],
            doc("The classes, by their full names. Required.", ["torch.nn.ReLU"]),
        ]
    ]
    forward: Required[
        Annotated[
            Annotated[list[Name], SOME],
            doc("The parameters of their `forward`, in order. Required.", ["input"]),
        ]
    ]
    args: Required[
        Annotated[
            dict[Name, Python],
            doc(
                "What the op is given, by the names of its inputs and attrs. Required.",
                {"weight": "self.weight", "indices": "input", "padding_idx": "self.padding_idx"},
            ),
        ]
    ]
    result: Annotated[
        Python,
        doc(
            "What `forward` returns, from the op's outputs. By default these.",
            "loss.to(input.dtype)",
        ),
    ]
    require: Annotated[
        list[Python],
        doc(
            "What must hold of a layer, or it is left as it is. By default nothing.",
            ["not self.inplace"],
        ),
    ]
    when: Annotated[
        list[Python],
        doc(
            "What must hold of a call, or it runs the layer's own `forward`. By default nothing.",
            ["input.ndim == 4", "not self.autocast(input)"],
        ),
    ]


class Replaced(TypedDict, total=False):
    """An op of another library whose callers get this op."""

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
    module: Annotated[
        Name,
        doc(
            "The name of its `nn.Module`, whose parameters are the inputs with an `init`. By default there is none.",
            "Scale",
        ),
    ]
    names: Annotated[
        Names,
        doc(
            "What PyTorch calls a module's sizes, attrs and parameters. By default they are called as here.",
            {"embedding_dim": "d"},
        ),
    ]
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
    patches: Annotated[
        list[Patch],
        doc(
            "The classes of `nn.Module` whose forward it computes, for `patch(model)`. By default none.",
            [
                {
                    "of": ["torch.nn.ReLU"],
                    "forward": ["input"],
                    "args": {"x": "input"},
                    "require": ["not self.inplace"],
                }
            ],
        ),
    ]
