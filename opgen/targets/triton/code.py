"""The IR of a Triton kernel, and Triton's names for dtypes and numeric arguments."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import NamedTuple

from opgen.ir.nodes import Code
from opgen.language.expr import Expr
from opgen.source.frozen import dataclass

# Triton's dtype names. Triton does not support other dtypes.
DTYPES = {
    "bf16": "bf16",
    "f16": "fp16",
    "f32": "fp32",
    "f64": "fp64",
    "i8": "i8",
    "i16": "i16",
    "i32": "i32",
    "i64": "i64",
    "u8": "u8",
    "u16": "u16",
    "u32": "u32",
    "u64": "u64",
    "bool": "i1",
    "f8e4m3": "fp8e4nv",
    "f8e5m2": "fp8e5",
}
# Types of descriptor fields in Triton and in C++. In Triton a float has 32 bits.
PASSED = {
    "i32": ("i32", "int32_t"),
    "i64": ("i64", "int64_t"),
    "f32": ("fp32", "float"),
    "f64": ("fp32", "float"),
    "bool": ("i1", "bool"),
}


@dataclass(frozen=True, slots=True)
class Constant:
    """A `tl.constexpr` parameter of a Triton function.

    A call uses the smallest of `values` that is at least `expr`. `expr` may refer to descriptor
    fields, and may test if a tensor is present. A literal constant has one value and no `expr`.
    """

    name: str
    values: tuple[bool | int | float, ...]
    expr: Expr | None = None


class Variant(NamedTuple):
    """One compiled version of a Triton kernel.

    `row` is the index of a combination of dtypes in the dispatch table. `aligned` is True for the
    version that requires certain arguments to be multiples of 16.
    """

    row: int
    constants: Mapping[str, bool | int | float]
    aligned: bool
    num_warps: int
    num_stages: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TritonKernel(Code):
    """A Triton function in a file in the kernels folder.

    `arguments` has the parameters that are not constants, in order: tensors and descriptor fields.
    `dtypes` has the dtypes of these tensors for each row of the dispatch table. opgen compiles an
    extra version for calls in which all arguments in `aligned` are multiples of 16. `tuned` has the
    parameters that opgen tunes, with their candidate values. `grid` is only set if it depends on
    tuned values.
    """

    compiled = True

    arguments: tuple[str, ...]
    constants: tuple[Constant, ...]
    dtypes: tuple[Mapping[str, str], ...] = field(hash=False)
    aligned: tuple[str, ...]
    num_warps: int
    num_stages: int
    tuned: tuple[tuple[str, tuple[int, ...]], ...] = ()

    @property
    def kept(self) -> Mapping[str, object]:
        return {"grid": ()} if self.grid else {}

    @property
    def variants(self) -> Iterator[Variant]:
        """Yield all variants, in the order in which the rendered launch numbers them.

        The alignment varies fastest, then the constants, the tuned values and, slowest, the row.
        """
        choices: list[tuple[str, tuple[bool | int | float, ...]]] = [*self.tuned]
        choices += [(constant.name, constant.values) for constant in self.constants]
        names = [name for name, _ in choices]
        alignments = (False, True) if self.aligned else (False,)
        every = itertools.product(*(values for _, values in choices))
        for row, values, aligned in itertools.product(range(len(self.dtypes)), every, alignments):
            known = dict(zip(names, values))
            num_warps, num_stages = known.pop("num_warps", self.num_warps), known.pop(
                "num_stages", self.num_stages
            )
            yield Variant(row, known, aligned, int(num_warps), int(num_stages))
