"""The models of an op and of a whole file."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Required

from pydantic import with_config
from typing_extensions import TypedDict

from opgen.spec.models.kernels import PLATFORMS, Cost, Kernels, Platform
from opgen.spec.models.options import key_of, options
from opgen.spec.models.rules import Grad, Guarantees, Sharding
from opgen.spec.models.strings import Called, Expression, Function, Line, Name, OpName, Prose
from opgen.spec.models.tensors import Attr, DescriptorField, DimFunction, Member, Tensor
from opgen.spec.models.types import (
    SOME,
    STRICT,
    Cases,
    Drop,
    Positive,
    Requirements,
    Sample,
    doc,
    table,
)

*_OTHERS, _LAST = (f"`{platform}`" for platform in PLATFORMS)
_LISTED = f"{', '.join(_OTHERS)} or {_LAST}"

# What a dtype variable is: a list, an expression, or cases.
Variable = Annotated[list[Name], SOME] | Expression | Cases[Expression]

# A tensor table also takes `order`, the one entry whose value is a list.
Tensors = Annotated[dict[Name, Tensor | Drop | list[Name]] | Drop, Called("{ name = table }")]


class _Op(TypedDict, total=False):
    """An op, or the part of one that a template holds."""

    like: Annotated[OpName, doc("The op or template whose keys it takes over.", "elementwise")]
    doc: Annotated[
        Prose,
        doc("What it computes; its first line is used in lists. Required.", "Elementwise `-x`."),
    ]
    version: Annotated[
        Positive,
        doc(
            "The version of what it means: raised when that changes, which `opgen diff` then accepts. 1 by default.",
            2,
        ),
    ]
    deprecated: Annotated[
        Line, doc("That it should not be used any more, and what to use instead.", "Use `scale`.")
    ]
    tags: Annotated[list[Line], doc("Words that catalogues sort by.", ["elementwise"])]
    replaces: Annotated[
        list[Line],
        doc("What it is used instead of: for its page and the catalogue.", ["torch.neg"]),
    ]
    reference: Annotated[
        Function | Drop,
        doc(
            "A file beside the spec and a function in it, `f(xp, *inputs, **attrs) -> results`: oracle, fallback and baseline. `xp` has the names of the array API, `erf` and `erfc`.",
            "rms_norm.py:rms_norm",
        ),
    ]
    dtypes: Annotated[
        dict[Name, Variable | Drop] | Drop,
        doc(
            "Dtype variables of this op: those of the file, given anew, and others. Derived ones may look at attrs and presence.",
            {"Q": {"mode == 'int8'": "i8", "else": "T"}},
        ),
    ]
    inputs: Annotated[
        Tensors,
        doc("What is passed by position, in file order.", {"x": {"dtype": "T", "shape": "*s"}}),
    ]
    attrs: Annotated[
        dict[Name, Attr | Drop] | Drop,
        doc(
            "What is passed by keyword; fixed while a JAX program is traced.",
            {"eps": {"type": "float", "default": 1e-5, "min": 0.0}},
        ),
    ]
    let: Annotated[
        dict[Name, Expression | Drop] | Drop,
        doc("Names for conditions, to be used in others.", {"varlen": "present(offsets)"}),
    ]
    dims: Annotated[
        dict[Name, Expression | DimFunction | Cases[Expression] | Drop] | Drop,
        doc("Names for sizes that follow from others.", {"blocks": "ceildiv(m, 128)"}),
    ]
    outputs: Annotated[
        Tensors, doc("What the caller gets, in file order.", {"y": {"dtype": "T", "shape": "*s"}})
    ]
    residuals: Annotated[
        Tensors,
        doc(
            "What the kernel keeps for the backward; callers do not see it.",
            {"invvar": {"dtype": "Acc", "shape": "*batch"}},
        ),
    ]
    workspace: Annotated[
        Tensors,
        doc(
            "Scratch memory of the kernel; in no signature and no rule.",
            {"part": {"dtype": "Acc", "shape": "blocks n"}},
        ),
    ]
    require: Annotated[
        Requirements | Drop,
        doc("What must hold of a call; errors show the values.", ["k % 8 == 0"]),
    ]
    grad: Annotated[
        Literal["none", "reference"] | Grad | Cases[Literal["none", "reference"] | Grad] | Drop,
        doc(
            "How it is differentiated: `none` (it is an error), `reference` (autodiff of that), or a table. Required.",
            "none",
            "reference",
        ),
    ]
    sharding: Annotated[
        Literal["replicate"] | Sharding | Drop,
        doc(
            "What may be split over devices: `replicate` (nothing), or a table. Required.",
            "replicate",
        ),
    ]
    guarantees: Annotated[
        Guarantees | Drop,
        doc(
            "What the kernels for the CPU promise beside their numbers.",
            {"deterministic": True, "invariant": ["batch"]},
        ),
    ]
    vmap: Annotated[
        Literal["loop", "none"],
        doc(
            "`loop`: a batch is computed one by one; `none`: it is refused. By default it joins a group that may be split, where one leads everything, and else loops.",
            "loop",
        ),
    ]
    autocast: Annotated[
        Literal["lower", "f32"],
        doc(
            "What PyTorch's autocast casts floating inputs to: `lower` (its active dtype) or `f32`. By default it leaves them.",
            "lower",
        ),
    ]
    kernels: Annotated[
        list[Platform] | Kernels | Drop,
        doc(
            f"The platforms that have a kernel of the op's name, {_LISTED}; or a table. Required.",
            ["cpu", "cuda"],
        ),
    ]
    descriptor: Annotated[
        dict[Name, DescriptorField | Drop] | Drop,
        doc(
            "The fields of the struct that passes sizes and options to its kernels. By default all that the spec knows, in 64 bits.",
            {"n1": {"type": "i32", "value": "prod(batch)"}},
        ),
    ]
    cost: Annotated[Cost | Drop, doc("What a call costs.", {"flops": "4*numel(x)"})]
    samples: Annotated[
        list[dict[Name, Sample]] | Drop,
        doc(
            "Calls for tests and benchmarks: sizes, attrs, dtypes, presence, and `rtol`; what is not said is drawn.",
            [{"s": [16]}, {"s": [3, 5], "T": "f32"}],
        ),
    ]


OPTIONS = options()
Op: Any = table("Op", _Op.__doc__, _Op, {n: key_of(n, own) for n, own in OPTIONS.items()})


@with_config(STRICT)
class Document(TypedDict, total=False):
    """A spec file: one family of ops."""

    spec: Required[Annotated[Literal[1], doc("The version of the language. Required.", 1)]]
    dtypes: Annotated[
        dict[Name, Variable],
        doc(
            "Dtype variables: a free one is a list of dtypes, a derived one an expression.",
            {"T": ["f32", "f64"], "Acc": "accum(T)"},
        ),
    ]
    bundles: Annotated[
        dict[Name, Annotated[dict[Name, Member], SOME]],
        doc(
            'Tensors that travel as one argument or result, by name: `inputs.w = { bundle = "quantized" }`.',
            {"quantized": {"data": {"dtype": "i8"}, "scale": {"dtype": "f32"}}},
        ),
    ]
    templates: Annotated[
        dict[OpName, Op],
        doc(
            "What ops take over by `like`; nothing is rendered for them.",
            {"elementwise": {"sharding": {"split": ["s"]}}},
        ),
    ]
    ops: Annotated[
        dict[OpName, Op],
        doc("The ops of the family. Required.", {"negate": {"doc": "Elementwise `-x`."}}),
    ]
