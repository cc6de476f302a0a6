"""Models of how an op is differentiated and split."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import with_config
from typing_extensions import TypedDict

from opgen.spec.models.strings import Expression, Line, Name, OpName
from opgen.spec.models.types import SOME, STRICT, Cases, Positive, Requirements, doc


@with_config(STRICT)
class Call(TypedDict, total=False):
    """A call of a backward, where its names do not say it all."""

    op: Annotated[OpName, doc("The op to call. Required.", "rotary")]
    args: Annotated[
        dict[Name, Expression],
        doc(
            "What its arguments are, where it is not the thing of that name in the forward; `None` leaves out a tensor that may be absent.",
            {"x": "dy"},
        ),
    ]
    grads: Annotated[
        dict[Name, Name],
        doc(
            "Which of its results is the gradient of an input, where it is not `d` and the input's name.",
            {"x": "y"},
        ),
    ]


@with_config(STRICT)
class Grad(TypedDict, total=False):
    """How an op is differentiated: by formulas or by backwards."""

    formulas: Annotated[
        dict[Name, Expression],
        doc(
            "The gradient of each input, elementwise, from cotangents (`dy`), inputs, outputs and attrs.",
            {"x": "-dy"},
        ),
    ]
    backward: Annotated[
        OpName | Call | list[OpName | Call],
        doc(
            "The op that computes it, or several, each called only if one of its gradients is needed.",
            "rms_norm_bwd",
        ),
    ]
    require: Annotated[
        Requirements,
        doc(
            "What must hold of a call whose gradient will be taken.",
            [{"not present(block_table)": "a paged cache has no gradient"}],
        ),
    ]


@with_config(STRICT)
class Excuse(TypedDict, total=False):
    """A placement for which more may be moved than the framework moves for the reference."""

    dims: Annotated[
        Annotated[list[Name], SOME], doc("Where one of these dims is split. By default any.", ["d"])
    ]
    also: Annotated[
        Annotated[list[Name], SOME], doc("Only where one of these dims is split, too.", ["batch"])
    ]
    unlike: Annotated[
        bool,
        doc(
            "Only where arrays that have a dim in common are split differently along it. By default also where they agree.",
            True,
        ),
    ]
    uneven: Annotated[
        bool,
        doc(
            "Only where such a dim has shards of unlike sizes, as DTensor lets it. By default also where they are alike.",
            True,
        ),
    ]
    target: Annotated[
        Literal["torch", "jax"],
        doc("Only in `torch`, or only in `jax`. By default in both.", "jax"),
    ]
    reason: Annotated[
        Line,
        doc(
            "Why. Required: the conformance tests print it with what they excuse.",
            "the halves of a row that is split are on different devices",
        ),
    ]


@with_config(STRICT)
class Guarantees(TypedDict, total=False):
    """What the kernels for the CPU promise beside their numbers; the conformance tests hold them to it."""

    deterministic: Annotated[
        bool,
        doc(
            "The same inputs give the same bits, wherever they are in memory and whatever the number of threads. By default nothing is promised.",
            True,
        ),
    ]
    invariant: Annotated[
        list[Name],
        doc(
            "Dims and groups along which results do not depend on each other: a call on some of the rows gives the bits that these rows have in a call on all. By default none.",
            ["batch"],
        ),
    ]
    exact: Annotated[
        bool,
        doc(
            "Each result is what the reference is in exact arithmetic, rounded to the nearest number of its dtype. By default nothing is promised.",
            True,
        ),
    ]


@with_config(STRICT)
class Sharding(TypedDict, total=False):
    """What may be split over the devices of a mesh."""

    split: Annotated[
        list[Name] | Cases[list[Name]],
        doc(
            "The dims and groups that may be split, the first in file order first; all others are gathered.",
            ["batch"],
        ),
    ]
    unit: Annotated[
        dict[Name, Positive], doc("Split in multiples of this only. 1 by default.", {"k": 128})
    ]
    stages: Annotated[
        dict[Name, Annotated[list[OpName], SOME]],
        doc(
            "By name of a dim that its kernel needs whole: ops of this file that compute it together, one after the other, where that dim is split. What they take and make is matched by name.",
            {"norm": ["rms_norm_squares", "rms_norm_scale"]},
        ),
    ]
    excuses: Annotated[
        list[Excuse],
        doc(
            "What may move more bytes between devices than the reference does in the framework's own ops. The conformance tests list it; whatever else moves more fails them. By default nothing.",
            [
                {
                    "dims": ["d"],
                    "reason": "the halves of a row that is split are on different devices",
                }
            ],
        ),
    ]
    follow: Annotated[
        Name,
        doc(
            "The op is elementwise: it runs on the elements of this updated input that a device holds, however they are placed, and all inputs of its shape are placed as it is. By default only what `split` says holds.",
            "params",
        ),
    ]
