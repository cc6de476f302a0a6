"""`window_sums`: Sums of `width` neighbours along the last dim of `x`, begun every `step`.

Rendered by opgen from windows.toml: edit the spec, not this file.
"""

from __future__ import annotations

from typing import NamedTuple

from .._opgen.core.descriptor import Descriptor
from .._opgen.core.facts import Input, OpFacts, Result, dim, group, shape
from .._opgen.core.kinds import check_attr, check_dtype
from .._opgen.core.runtime import CoreOp, TensorSpec, check_rank, require

DESCRIPTOR = Descriptor(
    "window_sums",
    size=56,
    fields=(
        ("batch", "i64", 0),
        ("batch_rank", "i64", 8),
        ("n", "i64", 16),
        ("m", "i64", 24),
        ("width", "i64", 32),
        ("step", "i64", 40),
        ("T", "i64", 48),
    ),
)

FACTS = OpFacts(
    "window_sums",
    inputs=(Input("x", shape(group("batch"), dim("n")), folds=True),),
    results=(Result("sums", shape(group("batch"), dim("m"))),),
    attrs={"width": "int", "step": "int"},
    platforms=("cpu",),
    split=("batch",),
    fold=("batch",),
)


class Results(NamedTuple):
    """The results of `window_sums`."""

    sums: TensorSpec  # T[*batch m]


def infer(x: TensorSpec, *, width: int, step: int = 1) -> Results:
    """Check a call of `window_sums` and give the shapes and dtypes of its results.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    # Attributes.
    width = check_attr("window_sums", "width", width, "int", low=1)
    step = check_attr("window_sums", "step", step, "int", low=1)
    # Dtypes.
    T = check_dtype("window_sums", "x", x, ("f32", "f64"))
    # Sizes.
    check_rank("window_sums", "x", x, "*batch n", at_least=1)
    batch = x.shape[:-1]
    n = x.shape[-1]
    # Values that follow from the sizes.
    m = (n - width) // step + 1
    # Requirements.
    require("window_sums", width <= n, "a window that fits", "n of x", width=width, n=n)
    require("window_sums", m >= 0, "m >= 0", "n of x", m=m, width=width, step=step)
    return Results(sums=TensorSpec((*batch, m), T))


def pack(*, batch: int, batch_rank: int, n: int, m: int, width: int, step: int, T: int) -> bytes:
    """The 56 bytes of the descriptor; padding is zero.

    Dtypes are given by name. Raises ValueError for a value that does not fit its field.
    """
    return DESCRIPTOR.pack(batch, batch_rank, n, m, width, step, T)


def unpack(data: bytes) -> dict[str, object]:
    """Return the fields of a packed descriptor by name. Raises ValueError for a wrong length."""
    return DESCRIPTOR.unpack(data)


window_sums = CoreOp("window_sums", FACTS, infer, pack, unpack, op_hash=0x02C2169A23E4)
