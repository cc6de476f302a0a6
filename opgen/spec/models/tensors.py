"""Models of what an op is made of: tensors, attrs, sizes, fields."""

from __future__ import annotations

from typing import Annotated, Literal, Required

from pydantic import with_config
from typing_extensions import TypedDict

from opgen.spec.attr_types import ATTR_TYPES, FIELD_TYPES
from opgen.spec.models.strings import (
    AttrType,
    Called,
    Condition,
    Expression,
    FieldType,
    Function,
    Line,
    Name,
    Prose,
    Reduction,
    Shape,
    listed,
)
from opgen.spec.models.types import STRICT, Cases, Forms, Integer, Positive, Scalar, Values, doc


@with_config(STRICT)
class Draw(TypedDict, total=False):
    """First values of a module's parameter that are drawn when it is made."""

    normal: Required[
        Annotated[
            Expression,
            doc("The standard deviation of normal numbers, their mean is 0. Required.", "1"),
        ]
    ]
    zero: Annotated[
        Name,
        doc(
            "An attr that holds an int: the element of this number along the first dim starts with zeros. By default none does.",
            "padding_idx",
        ),
    ]


@with_config(STRICT)
class Tensor(TypedDict, total=False):
    """One tensor: an input, an output, a residual or workspace."""

    bundle: Annotated[
        Name,
        doc(
            "The bundle that it is: a tensor for each member, `w_data` of the member `data`. What is written under such a name is laid over the member's keys.",
            "quantized",
        ),
    ]
    members: Annotated[
        list[Name],
        doc(
            "Of a bundle, the members that are there; the others are `None`. By default all.",
            ["scale"],
        ),
    ]
    dims: Annotated[
        dict[Name, Name],
        doc("Of a bundle, what its members' dims are called here.", {"n": "k"}),
    ]
    dtype: Annotated[
        Name | Cases[Name],
        doc("A dtype, a variable of `[dtypes]`, or an attr of type `dtype`.", "T", "f32"),
    ]
    shape: Annotated[
        Shape | Forms | Cases[Shape | list[Shape]],
        doc(
            "Its dims by name. An input may have a list of forms: the first whose rank fits is taken.",
            "*batch 2*d",
            ["hk*g", "b hk*g"],
        ),
    ]
    doc: Annotated[Prose, doc("What it holds.", "Rows to be summed.")]
    optional: Annotated[
        bool,
        doc(
            "Whether the caller may leave an input out; a residual or a backward's output is made only where it is asked for then. `false` by default.",
            True,
        ),
    ]
    when: Annotated[
        Condition, doc("The condition under which it is there. By default it always is.", "amsgrad")
    ]
    update: Annotated[
        bool | Cases[bool],
        doc(
            "Whether it is read and written in place, and so a result too. `false` by default.",
            True,
        ),
    ]
    init: Annotated[
        Expression | Draw,
        doc(
            "The value of each element before the kernel runs; by default the memory holds anything. Of an input: it is a parameter of the op's module, or state or an option of its optimizer, which starts with this value. A parameter may also start with values that are drawn.",
            "0",
            {"normal": "1"},
        ),
    ]
    list: Annotated[
        Name,
        doc(
            "It is a list of tensors, whose length this name binds, or an attr or a derived dim of this name gives. By default it is one tensor.",
            "n",
        ),
    ]
    layout: Annotated[
        Line | Cases[Expression],
        doc(
            "Its order in memory: `contiguous` (the default), `last` (the last dim is contiguous), `columns` (the last two dims swapped), `dense` (any order, without gaps), `strided` (any), dim names from slowest to fastest (of an input, after `...` the fastest alone: the others have any strides), or `like x`: for an output the order of an input, for an input that of an earlier `dense` one.",
            "last",
            "... h d",
        ),
    ]
    pitch: Annotated[
        Expression,
        doc(
            "Of an output or residual: how many elements lie between the beginnings of its rows, which run along its fastest dim. By default as many as a row has.",
            "roundup(d, 16)",
        ),
    ]
    align: Annotated[
        Positive, doc("The alignment of its data in bytes. By default that of an element.", 16)
    ]
    values: Annotated[
        Expression | Cases[Expression],
        doc(
            "A condition on each element of an integer input, or `offsets(n)`: from 0 to n along the last dim, never falling. It is checked with `OPGEN_CHECK_VALUES=1` only. By default anything goes.",
            "0 <= block_table < nb",
            "offsets(tq)",
        ),
    ]
    differentiable: Annotated[
        bool,
        doc(
            "`false`: to differentiate with respect to an input is an error; an output is a constant. `true` by default for floating dtypes.",
            False,
        ),
    ]
    reduce: Annotated[
        dict[Name, Reduction | Cases[Reduction]],
        doc(
            "By name of a dim that may be split, how the shards of what lacks it become one: `sum`, `max`, `min`; `mean` of equal shards; `mean(count)`: weighted by another result, which is summed; `same`: each computes the same; `local`: each keeps its own (residuals).",
            {"batch": "sum"},
            {"batch": {"reduction == 'mean'": "mean(count)", "else": "sum"}},
        ),
    ]
    begin: Annotated[
        Name,
        doc(
            "The dim of another input or of an output, of which an `i64` scalar input says at which index it begins: where that dim is split, each device has its own.",
            "k",
        ),
    ]
    device: Annotated[
        Literal["cpu"],
        doc(
            "`cpu`: the host reads this input, which lives on the CPU whatever device the others are on. By default it lives on theirs.",
            "cpu",
        ),
    ]
    seed: Annotated[
        bool,
        doc(
            "Whether an `i64` scalar input is a seed: PyTorch draws one where the caller leaves it out, or from the `torch.Generator` in its place; JAX takes a key of `jax.random` for it. `false` by default.",
            True,
        ),
    ]
    length: Annotated[
        Name,
        doc(
            "The integer scalar output that holds the true length of the leading dim, which is an upper bound then.",
            "count",
        ),
    ]


@with_config(STRICT)
class Member(TypedDict, total=False):
    """A tensor of a bundle, as its uses begin with it."""

    dtype: Annotated[
        Name | Cases[Name],
        doc("Its dtype, which an op that uses the bundle may write anew.", "i8"),
    ]
    shape: Annotated[
        Shape | Forms | Cases[Shape | list[Shape]],
        doc("Its dims, which a use may give other names.", "n k"),
    ]
    doc: Annotated[Prose, doc("What it holds.", "A factor for each row of `data`.")]
    optional: Annotated[
        bool,
        doc(
            "Whether it may be absent, `None`, where the bundle is there. `false` by default.", True
        ),
    ]
    differentiable: Annotated[
        bool, doc("As of any tensor. `true` by default for floating dtypes.", False)
    ]


@with_config(STRICT)
class Attr(TypedDict, total=False):
    """An option of a call, by keyword."""

    type: Annotated[
        AttrType,
        doc(
            f"{listed(ATTR_TYPES)}, or a list of fixed length such as `int[2]`. Required.",
            "float",
            "int[2]",
        ),
    ]
    default: Annotated[
        Values,
        doc(
            "Its default; but for `str` and `dtype` also an expression in quotes, which sees the sizes. Without one it must be given.",
            1e-5,
            "d**-0.5",
        ),
    ]
    choices: Annotated[
        Annotated[list[Scalar], Called("[value, ...]")],
        doc(
            "The values that it may have; a descriptor holds their position. By default any.",
            ["none", "mean", "sum"],
        ),
    ]
    min: Annotated[Integer | float, doc("The least value, inclusive, of each element.", 0.0)]
    max: Annotated[Integer | float, doc("The greatest value, inclusive, of each element.", 1.0)]
    optional: Annotated[
        bool, doc("Whether it may be `None`, which is its default then. `false` by default.", True)
    ]
    tuning: Annotated[
        bool,
        doc(
            "Whether it has no effect on results: a backward then need not be given the same. `false` by default.",
            True,
        ),
    ]
    doc: Annotated[Prose, doc("What it does.", "The longest query sequence.")]


@with_config(STRICT)
class DescriptorField(TypedDict, total=False):
    """One field of the C struct that passes sizes and options to a kernel."""

    type: Annotated[
        FieldType,
        doc(
            f"{listed(FIELD_TYPES)}, or an array such as `i64[8]`; a `dtype` is a 32-bit code. Required.",
            "i32",
            "dtype",
        ),
    ]
    value: Annotated[
        Expression,
        doc(
            "What it holds; a value that does not fit is an error of the call. Required.",
            "prod(batch)",
        ),
    ]


@with_config(STRICT)
class DimFunction(TypedDict):
    """A size that a Python function computes: the way out."""

    fn: Annotated[
        Function,
        doc(
            "A file beside the spec and a function in it, called with the known names that its parameters name.",
            "sizes.py:m",
        ),
    ]
