"""A kernel in Triton: what is compiled ahead of time, and what a launch of it is given."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

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


@dataclass(frozen=True, slots=True)
class TritonKernel:
    """A function of a file below the kernels folder.

    `arguments` are its other parameters, in its order: tensors, and fields of the descriptor.
    `dtypes` are those of the tensors among them, for each row of the kernel's dispatch table.
    Where some are `aligned`, code is compiled for calls in which these are multiples of 16.
    """

    file: str
    function: str
    arguments: tuple[str, ...]
    constants: tuple[Constant, ...]
    dtypes: tuple[Mapping[str, str], ...] = field(hash=False)
    aligned: tuple[str, ...]
    warps: int
    stages: int

    @property
    def variants(self) -> Iterator[tuple[int, Mapping[str, bool | int | float], bool]]:
        """What is compiled, in the order of the rendered launch: row, constants, aligned."""
        choices = itertools.product(*(constant.values for constant in self.constants))
        names = [constant.name for constant in self.constants]
        every = [dict(zip(names, values)) for values in choices]
        alignments = (False, True) if self.aligned else (False,)
        return itertools.product(range(len(self.dtypes)), every, alignments)
