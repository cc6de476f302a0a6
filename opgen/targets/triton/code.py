"""A Triton kernel: the versions that are compiled ahead of time, and the arguments of a launch."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import NamedTuple

from opgen.ir.code import Code
from opgen.language.expr import Expr
from opgen.source.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Constant:
    """A `tl.constexpr` parameter.

    A call uses the smallest of `values` that is not below `expr`. `expr` reads descriptor fields
    and the presence of tensors. A literal has one value and no expression.
    """

    name: str
    values: tuple[bool | int | float, ...]
    expr: Expr | None = None


class Variant(NamedTuple):
    """One compiled version of a kernel: a combination of dtypes with these constants."""

    row: int
    constants: Mapping[str, bool | int | float]
    aligned: bool
    num_warps: int
    num_stages: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TritonKernel(Code):
    """A function of a file in the kernels folder.

    `arguments` has the other parameters in order: tensors and descriptor fields. `dtypes` has the
    dtypes of these tensors for each row of the dispatch table. If arguments are `aligned`, extra
    code handles calls in which they are multiples of 16. `tuned` has the constants, `num_warps` and
    `num_stages` with candidate values for a device. `grid` reads descriptor fields, and is only set if
    it depends on tuned values.
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
        """Yield the variants in the order of the rendered launch: row, tuned values, constants,
        aligned.
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
