"""A kernel in Triton: what is compiled ahead of time, and what a launch of it is given."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from opgen.language.expr import Expr


@dataclass(frozen=True, slots=True)
class Constant:
    """A `tl.constexpr` parameter.

    A call has the smallest of `values` that is at least `expr`, which is over fields of the
    descriptor and the presence of tensors. A literal has one value, and no expression.
    """

    name: str
    values: tuple[bool | int | float, ...]
    expr: Expr | None = None


class Variant(NamedTuple):
    """What is compiled by itself: of a row of dtypes, with these constants."""

    row: int
    constants: Mapping[str, bool | int | float]
    aligned: bool
    warps: int
    stages: int


@dataclass(frozen=True, slots=True)
class TritonKernel:
    """A function of a file below the kernels folder.

    `arguments` are its other parameters, in its order: tensors, and fields of the descriptor.
    `dtypes` are those of the tensors among them, for each row of the kernel's dispatch table.
    Where some are `aligned`, code is compiled for calls in which these are multiples of 16. `tuned`
    are constants, `warps` and `stages` among which values are chosen for a device; `grid` is there
    where it names some of them, over fields of the descriptor.
    """

    file: str
    function: str
    arguments: tuple[str, ...]
    constants: tuple[Constant, ...]
    dtypes: tuple[Mapping[str, str], ...] = field(hash=False)
    aligned: tuple[str, ...]
    warps: int
    stages: int
    tuned: tuple[tuple[str, tuple[int, ...]], ...] = ()
    grid: tuple[Expr, ...] = ()

    @property
    def variants(self) -> Iterator[Variant]:
        """What is compiled, in the order of the rendered launch: row, what is tuned, constants, aligned."""
        choices: list[tuple[str, tuple[bool | int | float, ...]]] = [*self.tuned]
        choices += [(constant.name, constant.values) for constant in self.constants]
        names = [name for name, _ in choices]
        alignments = (False, True) if self.aligned else (False,)
        every = itertools.product(*(values for _, values in choices))
        for row, values, aligned in itertools.product(range(len(self.dtypes)), every, alignments):
            known = dict(zip(names, values))
            warps, stages = known.pop("warps", self.warps), known.pop("stages", self.stages)
            yield Variant(row, known, aligned, int(warps), int(stages))
