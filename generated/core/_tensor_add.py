"""`tensor_add`: Elementwise `a + b` of two matrices.

Rendered by opgen from tensor_add.toml: edit the spec, not this file.
"""

from __future__ import annotations

from typing import NamedTuple

from .._opgen.core.descriptor import Descriptor
from .._opgen.core.facts import Input, OpFacts, Result, dim, shape
from .._opgen.core.kinds import check_dtype
from .._opgen.core.runtime import DTYPES, CoreOp, Launch, TensorSpec, check_rank, check_shape

DESCRIPTOR = Descriptor(
    "tensor_add", size=24, fields=(("m", "i64", 0), ("n", "i64", 8), ("T", "i64", 16))
)

FACTS = OpFacts(
    "tensor_add",
    inputs=(Input("a", shape(dim("m"), dim("n"))), Input("b", shape(dim("m"), dim("n")))),
    results=(Result("c", shape(dim("m"), dim("n"))),),
    platforms=("cpu", "cuda", "neuron"),
    demanding=True,
    split=("m", "n"),
)


class Results(NamedTuple):
    """The results of `tensor_add`."""

    c: TensorSpec  # T[m n]


def bind(a: TensorSpec, b: TensorSpec) -> Launch[Results]:
    """Check a call of `tensor_add`. Return results and kernel arguments."""
    # Dtypes.
    T = check_dtype("tensor_add", "a", a, ("f32", "bf16", "f16", "f64"))
    check_dtype("tensor_add", "b", b, (T,), like="a")
    # Sizes.
    check_rank("tensor_add", "a", a, "m n", exactly=2)
    m = a.shape[0]
    n = a.shape[1]
    check_rank("tensor_add", "b", b, "m n", exactly=2)
    check_shape("tensor_add", "b", b, (m, n), "m n", m=("a", m), n=("a", n))
    results = Results(c=TensorSpec((m, n), T))
    return Launch(
        results,
        descriptor=(m, n, DTYPES[T].code),
        grid=(m // 128, n // 512),
        require={
            "neuron": lambda: (
                (T != "f64", "T != f64"),
                (m % 128 == 0, "m % 128 == 0"),
                (n % 512 == 0, "n % 512 == 0"),
            )
        },
    )


def infer(a: TensorSpec, b: TensorSpec) -> Results:
    """Check a call of `tensor_add` and give the shapes and dtypes of its results.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    return bind(a, b).results


def pack(*, m: int, n: int, T: int) -> bytes:
    """The 24 bytes of the descriptor; padding is zero.

    Dtypes are given by name. Raises ValueError for a value that does not fit its field.
    """
    return DESCRIPTOR.pack(m, n, T)


def unpack(data: bytes) -> dict[str, object]:
    """Return the fields of a packed descriptor by name. Raises ValueError for a wrong length."""
    return DESCRIPTOR.unpack(data)


tensor_add = CoreOp("tensor_add", FACTS, infer, pack, unpack, bind=bind, op_hash=0x5E1DC20CB8BF)
