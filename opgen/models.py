"""The pydantic models: exactly what a user may write, key for key.

The spec reference and the JSON Schema are rendered from them, so every field has a
description and an example. Nothing is required here but the language's version: a
template may hold part of an op, and whether an op is whole is known only once `like` is
resolved. What names mean is `lint/`'s business. The models check and describe; the data
stays the plain tables that were written, in file order.
"""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Annotated, Any, Literal

import pydantic_core
from pydantic import ConfigDict, Field, StringConstraints, TypeAdapter
from typing_extensions import Required, TypedDict

PLATFORMS = ("cpu", "cuda", "neuron")

_STRICT = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)
_NO_CONTROL = r"[^\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]"


def _text(pattern: str, longest: int = 1000) -> Any:
    return Annotated[str, StringConstraints(pattern=pattern, max_length=longest)]


def _doc(description: str, *examples: object) -> Any:
    return Field(description=description, examples=list(examples))


# What strings may hold; `{name}` stands for the op's name. `mistakes.py` has the words.
_WORD = r"(?:[A-Za-z_]|\{name\})(?:[A-Za-z0-9_]|\{name\})*"
NAME = r"^(?:[A-Za-z]|\{name\})(?:[A-Za-z0-9_]|\{name\})*$"
OP_NAME = r"^(?:[a-z]|\{name\})(?:[a-z0-9_]|\{name\})*$"
SYMBOL = rf"^{_WORD}$"
_PART = r"(?:[A-Za-z0-9_]|\{name\})(?:[A-Za-z0-9_-]|\{name\})*"
FUNCTION = rf"^(?:{_PART}/)*{_WORD}\.py:{_WORD}$"
SOURCE = rf"^(?:{_PART}/)*{_PART}(?:\.{_PART})*\.(?:cpp|cc|cxx|cu)$"
LIBRARY = r"^[A-Za-z0-9_][A-Za-z0-9_.+-]*$"
NKI = rf"^{_WORD}(?:\.{_WORD})*:{_WORD}$"
LINE = rf"^{_NO_CONTROL}*$"
PROSE = rf"^(?:{_NO_CONTROL}|\n)*$"
ATTR_TYPE = r"^(?:bool|str|dtype|(?:float|int)(?:\[(?:[1-9][0-9]?)?\])?)$"
FIELD_TYPE = r"^(?:i32|i64|f32|f64|bool|dtype)(?:\[[1-9][0-9]?\])?$"

Name = _text(NAME, 64)
OpName = _text(OP_NAME, 64)
Symbol = _text(SYMBOL, 255)
Expression = _text(LINE)
Shape = _text(LINE)
Line = _text(LINE)
Prose = _text(PROSE, 10_000)
Integer = Annotated[int, Field(ge=-(2**63), lt=2**63)]
Positive = Annotated[int, Field(ge=1, lt=2**31)]
Scalar = bool | Integer | float | Line
Literal_ = Scalar | list[Scalar]
Drop = Literal[False]

# A condition or `else`, and what holds then.
_SOME = Field(min_length=1)
NameCases = Annotated[dict[Expression, Name], _SOME]
ExpressionCases = Annotated[dict[Expression, Expression], _SOME]
Requirements = list[Expression | Annotated[dict[Expression, Line], _SOME]]
Reduction = Literal["sum", "max", "min", "mean", "same", "local"]


class Tensor(TypedDict, total=False):
    """One tensor: an input, output, residual or workspace."""

    __pydantic_config__ = _STRICT

    dtype: Annotated[
        Name | NameCases, _doc("A dtype, a dtype variable or a dtype attr.", "T", "f32")
    ]
    shape: Annotated[
        Shape
        | Annotated[list[Shape], _SOME]
        | Annotated[dict[Expression, Shape | list[Shape]], _SOME],
        _doc("Its dims by name; for inputs also a list of forms.", "*batch heads d"),
    ]
    doc: Annotated[Prose, _doc("What it holds.", "The weight, one for each column.")]
    optional: Annotated[bool, _doc("Whether it may be left out.", True)]
    when: Annotated[Expression, _doc("The condition for its being there.", "amsgrad")]
    update: Annotated[
        bool | Annotated[dict[Expression, bool], _SOME],
        _doc("Read and written in place.", True),
    ]
    init: Annotated[Expression, _doc("What it holds before the kernel runs.", "0")]
    list: Annotated[Name, _doc("A list of tensors; binds its length to the name.", "n")]
    layout: Annotated[
        Line | ExpressionCases,
        _doc("Its order in memory.", "contiguous", "last", "strided", "like x"),
    ]
    align: Annotated[Positive, _doc("The alignment of its data, in bytes.", 16)]
    values: Annotated[
        Expression | ExpressionCases,
        _doc("A condition on its elements.", "0 <= labels < c", "offsets(n)"),
    ]
    differentiable: Annotated[bool, _doc("Whether it has a gradient.", False)]
    reduce: Annotated[
        dict[Name, Reduction | Annotated[dict[Expression, Reduction], _SOME]],
        _doc("How the shards of a split name are combined.", {"batch": "sum"}),
    ]
    length: Annotated[Name, _doc("The output that holds its true length.", "count")]


class Attr(TypedDict, total=False):
    """A keyword-only option."""

    __pydantic_config__ = _STRICT

    type: Annotated[_text(ATTR_TYPE), _doc("Its type.", "float", "int[2]", "dtype")]
    default: Annotated[Literal_, _doc("Its default; an expression in quotes.", 1e-5)]
    choices: Annotated[list[Scalar], _doc("The values it may have.", ["sum", "mean"])]
    min: Annotated[Integer | float, _doc("The least value, inclusive.", 0.0)]
    max: Annotated[Integer | float, _doc("The greatest value, inclusive.", 1.0)]
    optional: Annotated[bool, _doc("Whether it may be None.", True)]
    tuning: Annotated[bool, _doc("It has no effect on results.", True)]
    doc: Annotated[Prose, _doc("What it does.", "The longest query sequence.")]


class DescriptorField(TypedDict, total=False):
    """One field of a descriptor."""

    __pydantic_config__ = _STRICT

    type: Annotated[_text(FIELD_TYPE), _doc("Its C type.", "i32", "i64[8]", "dtype")]
    value: Annotated[Expression, _doc("What it holds.", "prod(batch)")]


class DimFunction(TypedDict):
    """A size that a Python function computes: the way out."""

    __pydantic_config__ = _STRICT

    fn: Annotated[_text(FUNCTION), _doc("File and function.", "sizes.py:m")]


class Call(TypedDict, total=False):
    """A call of a backward op, where its names do not say it all."""

    __pydantic_config__ = _STRICT

    op: Annotated[OpName, _doc("The op to call.", "rotary")]
    args: Annotated[
        dict[Name, Expression],
        _doc("What its arguments are.", {"q": "dq_out", "inverse": "not inverse"}),
    ]
    grads: Annotated[
        dict[Name, Name], _doc("Which result is which gradient.", {"q": "q_out"})
    ]


class Grad(TypedDict, total=False):
    """How an op is differentiated."""

    __pydantic_config__ = _STRICT

    formulas: Annotated[
        dict[Name, Expression],
        _doc("The gradient of each input, elementwise.", {"a": "dy", "b": "dy"}),
    ]
    backward: Annotated[
        OpName | Call | list[OpName | Call],
        _doc("The op or ops that compute it.", "rms_norm_bwd"),
    ]
    require: Annotated[
        Requirements,
        _doc("Checked when a gradient will be taken.", ["not present(block_table)"]),
    ]


class Sharding(TypedDict, total=False):
    """What may be split over the devices of a mesh."""

    __pydantic_config__ = _STRICT

    split: Annotated[
        list[Name] | Annotated[dict[Expression, list[Name]], _SOME],
        _doc("The dims and groups that may be split.", ["batch", "hk"]),
    ]
    unit: Annotated[
        dict[Name, Positive], _doc("Split in multiples of this only.", {"k": 128})
    ]


class Kernel(TypedDict, total=False):
    """A kernel of one platform."""

    __pydantic_config__ = _STRICT

    symbol: Annotated[
        Symbol | Annotated[dict[Expression, Symbol], _SOME],
        _doc("The function.", "rms_norm_fwd"),
    ]
    sources: Annotated[
        list[_text(SOURCE)], _doc("Its files, below the kernels folder.", ["norm.cu"])
    ]
    dispatch: Annotated[
        list[Name], _doc("Dtype variables that are template parameters.", ["T"])
    ]
    index: Annotated[Literal["i32", "i64"], _doc("The type it indexes with.", "i32")]
    grid: Annotated[
        Annotated[list[Positive | Expression], Field(min_length=1, max_length=3)],
        _doc("The grid of its instances.", ["ceildiv(m, 128)"]),
    ]
    block: Annotated[
        Annotated[list[Positive | Expression], Field(min_length=1, max_length=3)],
        _doc("The threads of an instance.", [128]),
    ]
    workspace: Annotated[
        Symbol, _doc("A C++ function that gives bytes of scratch.", "bwd_workspace")
    ]
    require: Annotated[Requirements, _doc("What it needs.", ["arch >= 80"])]
    library: Annotated[_text(LIBRARY, 255), _doc("Where it is.", "libfoo.so")]
    call: Annotated[Line, _doc("Its C signature.", "ln_fwd(x, y, n1, eps, stream)")]
    nki: Annotated[_text(NKI), _doc("Module and NKI function.", "nki_norms:rms_norm")]


# A call, since `else` is a Python keyword.
Kernels = TypedDict(
    "Kernels",
    {platform: Annotated[Symbol | Kernel, _doc(f"The kernel for {platform}.", "negate")] for platform in PLATFORMS}
    | {"else": Annotated[Literal["reference"], _doc("What runs on other platforms.", "reference")]},
    total=False,
)  # fmt: skip
Kernels.__pydantic_config__ = _STRICT  # type: ignore[attr-defined]
Kernels.__doc__ = "The kernels, by platform."


class Cost(TypedDict, total=False):
    """What a call costs."""

    __pydantic_config__ = _STRICT

    flops: Annotated[Expression, _doc("Floating-point operations.", "2*m*n*k")]


class TorchOptions(TypedDict, total=False):
    """Options of the PyTorch target."""

    __pydantic_config__ = _STRICT

    out: Annotated[bool, _doc("Whether there is an `.out` overload.", True)]
    module: Annotated[Name, _doc("The name of its `nn.Module`.", "RMSNorm")]


class JaxOptions(TypedDict, total=False):
    """Options of the JAX target."""

    __pydantic_config__ = _STRICT

    attrs: Annotated[
        Literal["typed", "packed"],
        _doc("How attrs reach the kernel: each, or in the descriptor.", "packed"),
    ]
    opaque: Annotated[
        bool, _doc("Whether kernels get XLA's opaque signature as well.", True)
    ]


class NeuronOptions(TypedDict, total=False):
    """Options of the Neuron target."""

    __pydantic_config__ = _STRICT

    library: Annotated[
        _text(OP_NAME, 64), _doc("The library of C++ operators it is in.", "my_ops")
    ]
    stack_size: Annotated[
        Positive, _doc("The stack that its C++ kernel needs, in bytes.", 20480)
    ]


# A tensor table also takes `order`, the one entry whose value is a list.
Tensors = dict[Name, Tensor | Drop | list[Name]] | Drop


class Op(TypedDict, total=False):
    """An op, or the part of one that a template holds."""

    __pydantic_config__ = _STRICT

    like: Annotated[OpName, _doc("The op or template whose keys it takes.", "rms")]
    doc: Annotated[Prose, _doc("What it computes, first line first.", "`-x`.")]
    version: Annotated[Positive, _doc("Raised when what it means changes.", 2)]
    deprecated: Annotated[Line, _doc("What to use instead.", "Use `rotary`.")]
    tags: Annotated[list[Line], _doc("Words that catalogues sort by.", ["norm"])]
    reference: Annotated[
        _text(FUNCTION) | Drop,
        _doc("Its reference function.", "rms_norm.py:rms_norm"),
    ]
    inputs: Annotated[Tensors, _doc("The inputs, positional, in file order.")]
    attrs: Annotated[dict[Name, Attr | Drop] | Drop, _doc("Keyword-only options.")]
    dims: Annotated[
        dict[Name, Expression | DimFunction | ExpressionCases | Drop] | Drop,
        _doc("Names for sizes.", {"p": "(h - r)//stride + 1"}),
    ]
    outputs: Annotated[Tensors, _doc("What the caller gets.")]
    residuals: Annotated[Tensors, _doc("What the backward needs.")]
    workspace: Annotated[Tensors, _doc("Scratch memory of the kernel.")]
    require: Annotated[
        Requirements | Drop,
        _doc("Conditions on a call.", ["d % 8 == 0", {"k <= e": "k experts of e"}]),
    ]
    grad: Annotated[
        Literal["none", "reference"]
        | Grad
        | Annotated[dict[Expression, Literal["none", "reference"] | Grad], _SOME]
        | Drop,
        _doc("How it is differentiated.", "none", "reference"),
    ]
    sharding: Annotated[
        Literal["replicate"] | Sharding | Drop,
        _doc("What may be split over devices.", "replicate"),
    ]
    vmap: Annotated[
        Literal["loop", "none"], _doc("How it is batched, if not by folding.", "loop")
    ]
    autocast: Annotated[
        Literal["lower", "f32"], _doc("The dtype under autocast.", "lower")
    ]
    kernels: Annotated[
        list[Literal[PLATFORMS]] | Kernels | Drop,
        _doc("The kernels, by platform.", ["cpu", "cuda"]),
    ]
    descriptor: Annotated[
        dict[Name, DescriptorField | Drop] | Drop,
        _doc("The C struct that tells a kernel sizes and options."),
    ]
    cost: Annotated[Cost | Drop, _doc("What a call costs.")]
    samples: Annotated[
        list[dict[Name, Literal_ | list[list[Integer]]]] | Drop,
        _doc("Calls for tests and benchmarks.", [{"batch": [3, 5], "T": "bf16"}]),
    ]
    torch: Annotated[TorchOptions | Drop, _doc("Options of the PyTorch target.")]
    jax: Annotated[JaxOptions | Drop, _doc("Options of the JAX target.")]
    neuron: Annotated[NeuronOptions | Drop, _doc("Options of the Neuron target.")]


class Document(TypedDict, total=False):
    """A spec file: one family of ops."""

    __pydantic_config__ = _STRICT

    spec: Required[Annotated[Literal[1], _doc("The version of the language.", 1)]]
    dtypes: Annotated[
        dict[Name, Annotated[list[Name], _SOME] | Expression | ExpressionCases],
        _doc("Dtype variables: free ones a list, derived ones an expression."),
    ]
    templates: Annotated[dict[OpName, Op], _doc("What ops take over by `like`.")]
    ops: Annotated[dict[OpName, Op], _doc("The ops of the family.")]


MODELS: dict[str, type] = {
    model.__name__: model
    for model in (
        Tensor, Attr, DescriptorField, DimFunction, Call, Grad, Sharding, Kernel,
        Kernels, Cost, TorchOptions, JaxOptions, NeuronOptions, Op, Document,
    )
}  # fmt: skip


@cache
def adapter() -> TypeAdapter[Any]:
    """The validator of a document."""
    return TypeAdapter(Document)


def compiled() -> str:
    """The validator's core schema as JSON, for `spec.validator`.

    Importing pydantic and building the models costs more than linting a spec; the core
    schema alone is read in a few milliseconds.
    """
    schema = json.dumps(_plain(adapter().core_schema), indent=1)
    schema = re.sub(r'(opgen\.models\.\w+):\d+"', r'\1"', schema)
    return f'{{"pydantic_core": "{pydantic_core.__version__}", "schema": {schema}}}\n'


def _plain(schema: Any) -> Any:
    """A core schema without what validation does not need: metadata and classes."""
    if isinstance(schema, dict):
        plain = {
            k: _plain(v) for k, v in schema.items() if k not in ("metadata", "cls")
        }
        return (
            plain | {"cls_name": schema["cls"].__name__} if "cls" in schema else plain
        )
    return [_plain(s) for s in schema] if isinstance(schema, list | tuple) else schema
