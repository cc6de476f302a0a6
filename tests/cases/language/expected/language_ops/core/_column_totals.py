"""`column_totals`: The sums of the columns of `x`: of as many ranges of rows as suit the
device, then of those.

Rendered by opgen from parts.toml: edit the spec, not this file.
"""

from __future__ import annotations

from typing import NamedTuple

from ..reference import parts as _parts
from .._opgen.core.descriptor import Descriptor
from .._opgen.core.facts import Input, OpFacts, Result, dim, shape
from .._opgen.core.kinds import check_attr, check_dtype
from .._opgen.core.runtime import CoreOp, Launch, TensorSpec, check_known, check_rank

DESCRIPTOR = Descriptor(
    "column_totals",
    size=32,
    fields=(("m", "i64", 0), ("n", "i64", 8), ("parts", "i64", 16), ("T", "i64", 24)),
)

FACTS = OpFacts(
    "column_totals",
    inputs=(Input("x", shape(dim("m"), dim("n"))),),
    results=(Result("y", shape(dim("n"))), Result("sums", shape(dim("parts"), dim("n")))),
    attrs={"parts": "int"},
    platforms=("cpu",),
    split=("n",),
)


class Results(NamedTuple):
    """The results of `column_totals`."""

    y: TensorSpec  # T[n]
    sums: TensorSpec  # T[parts n]


def bind(x: TensorSpec, *, parts: int | None = None, sms: int | None = None) -> Launch[Results]:
    """Check a call of `column_totals`. Return results and kernel arguments."""
    # Attributes.
    parts = check_attr("column_totals", "parts", parts, "int", low=0, optional=True)
    # Dtypes.
    T = check_dtype("column_totals", "x", x, ("f32", "f64"))
    # Sizes.
    check_rank("column_totals", "x", x, "m n", exactly=2)
    m = x.shape[0]
    n = x.shape[1]
    if parts is None:
        check_known("column_totals", "parts", sms=sms)
        parts = check_attr("column_totals", "parts", _parts.parts(m, sms), "int", low=0)
    results = Results(y=TensorSpec((n,), T), sums=TensorSpec((parts, n), T))
    return Launch(results, attrs={"parts": parts})


def infer(x: TensorSpec, *, parts: int | None = None) -> Results:
    """Check a call of `column_totals` and give the shapes and dtypes of its results.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    return bind(x, parts=parts).results


def pack(*, m: int, n: int, parts: int, T: int) -> bytes:
    """The 32 bytes of the descriptor; padding is zero.

    Dtypes are given by name. Raises ValueError for a value that does not fit its field.
    """
    return DESCRIPTOR.pack(m, n, parts, T)


def unpack(data: bytes) -> dict[str, object]:
    """Return the fields of a packed descriptor by name. Raises ValueError for a wrong length."""
    return DESCRIPTOR.unpack(data)


column_totals = CoreOp(
    "column_totals",
    FACTS,
    infer,
    pack,
    unpack,
    bind=bind,
    sized_by=("sms",),
    op_hash=0x97402F70AF07,
)
