"""Models of the kernels of an op."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import with_config
from typing_extensions import TypedDict

from opgen.spec.extensions import extensions, imported, platforms
from opgen.spec.models.rules import Guarantees
from opgen.spec.models.strings import (
    Expression,
    Library,
    LibraryFunction,
    Line,
    Name,
    ObjectFile,
    PythonFile,
    Source,
    Symbol,
)
from opgen.spec.models.types import (
    SOME,
    STRICT,
    Cases,
    Constant,
    Extent,
    Integer,
    Positive,
    Requirements,
    doc,
    table,
)

PLATFORMS = tuple(platforms())
Platform: Any = Literal[PLATFORMS]


class _Kernel(TypedDict, total=False):
    """A kernel of one platform. A C identifier instead of the table is its `symbol`."""

    symbol: Annotated[
        Symbol | Cases[Symbol], doc("The function. The op's name by default.", "grouped_gemm")
    ]
    name: Annotated[
        Symbol,
        doc(
            "What `which`, `kernels` and `OPGEN_KERNELS` call it. Its symbol by default.",
            "by_fours",
        ),
    ]
    sources: Annotated[
        list[Source],
        doc(
            "Its files, below the kernels folder. By default those in the family's folder.",
            ["shared/twice.cu"],
        ),
    ]
    dispatch: Annotated[
        list[Name],
        doc(
            "The dtype variables that are its template parameters; tensors of others come untyped. By default all.",
            ["T"],
        ),
    ]
    index: Annotated[
        Literal["i32", "i64"],
        doc(
            "The type that it indexes with: `i64` (the default), or `i32`, for which larger tensors are refused.",
            "i32",
        ),
    ]
    grid: Annotated[
        Extent,
        doc("How many instances of it run, in up to three dims. By default one.", ["blocks"]),
    ]
    block: Annotated[Extent, doc("How many threads an instance has, in up to three dims.", [128])]
    workspace: Annotated[
        Symbol,
        doc(
            "A C++ function of descriptor and device that gives the bytes of scratch, when called.",
            "column_sums_bytes",
        ),
    ]
    require: Annotated[
        Requirements,
        doc(
            "What it needs beyond what the op does; it may name the device's `arch` and `sms`.",
            ["arch >= 80"],
        ),
    ]
    library: Annotated[Library, doc("The library that holds it already; with `call`.", "libfoo.so")]
    call: Annotated[
        Line,
        doc(
            "How it is called: tensors, fields of the descriptor and `stream`, in its order.",
            "scale(x, y, n, by, stream)",
        ),
    ]
    tvm_ffi: Annotated[
        LibraryFunction,
        doc("A function that tvm-ffi exports, of a library that is there.", "libfoo.so:scale"),
    ]
    args: Annotated[
        list[Name],
        doc(
            "What `tvm_ffi` is called with, in its order. By default inputs, results, workspace, attrs.",
            ["y", "x", "by"],
        ),
    ]
    object: Annotated[
        ObjectFile,
        doc(
            "An object that CuTe DSL exported, below the kernels folder, with its header beside it.",
            "scaled/scaled_sm90.o",
        ),
    ]
    triton: Annotated[
        PythonFile,
        doc(
            "A function in Triton, of a file below the kernels folder, which `opgen build` compiles.",
            "norms/norms.py:rms_norm",
        ),
    ]
    constexpr: Annotated[
        dict[Name, Constant],
        doc("The `tl.constexpr` parameters of `triton`: constants or expressions.", {"BLOCK": "d"}),
    ]
    values: Annotated[
        dict[Name, Annotated[list[Integer], SOME]],
        doc(
            "What a `constexpr` may be: the code is compiled for each, the smallest that is at least the expression runs.",
            {"BLOCK": [1024, 8192]},
        ),
    ]
    aligned: Annotated[
        list[Name],
        doc(
            "Tensors and integers of `triton` for which code is compiled besides that takes them for multiples of 16.",
            ["x", "weight", "y", "d"],
        ),
    ]
    warps: Annotated[Positive, doc("The `num_warps` of `triton`. Default: 4.", 8)]
    stages: Annotated[Positive, doc("The `num_stages` of `triton`. Default: 3.", 2)]
    tune: Annotated[
        dict[Name, Annotated[list[Integer], SOME]],
        doc(
            "Values that it may have, by parameter: `opgen tune` chooses for a device, without a choice the first holds.",
            {"kib": [128, 32, 64, 256, 512, 1024]},
        ),
    ]
    guarantees: Annotated[
        Guarantees,
        doc(
            "What this kernel of a list promises, in place of the op's `guarantees`: calls may ask for it.",
            {"deterministic": True},
        ),
    ]


Kernel: Any = table(
    "Kernel",
    _Kernel.__doc__,
    _Kernel,
    *(
        imported(extension.models, name).Kernel
        for name, extension in extensions().items()
        if any(platform.keys for platform in extension.platforms)
    ),
)
Kernels: Any = table(
    "Kernels",
    "The kernels by platform, where a list of platforms does not say it.",
    {
        name: Annotated[
            Symbol | Kernel | list[Symbol | Kernel],
            doc(
                f"The kernel for {name}: its symbol or a table. Of a list, the first that takes a call runs.",
                platform.example,
            ),
        ]
        for name, platform in platforms().items()
    },
    {
        "else": Annotated[
            Literal["reference"],
            doc(
                "`reference`: it runs on platforms without a kernel. By default they are an error.",
                "reference",
            ),
        ]
    },
)


@with_config(STRICT)
class Cost(TypedDict, total=False):
    """What a call costs; the bytes that it moves are derived."""

    flops: Annotated[
        Expression,
        doc(
            "Its floating-point operations, for PyTorch's flop counter and for benchmarks.",
            "4*numel(x)",
        ),
    ]
    transcendentals: Annotated[
        Expression,
        doc("Its exponentials, logarithms and the like, for benchmarks.", "numel(logits)"),
    ]
    read: Annotated[
        Expression,
        doc(
            "The bytes that it reads, for benchmarks, where that is a part of its inputs only.",
            "n*d*bits(T)//8",
        ),
    ]
