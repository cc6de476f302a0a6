"""Calls to Pallas kernels. Rendered by opgen."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu

from .._opgen.core.runtime import Launch
from .._opgen.jax.arrays import manual_type, spec_of, vary, varying_axes
from .._opgen.jax.dtypes import DTYPES

__all__ = ["Block", "run", "spec_of"]


class Block(NamedTuple):
    """An array as a kernel receives it, and the block of it that one program handles.

    In `shape`, each group is one dim, and there are at least two dims. `part_of` maps grid indices
    to block indices. `part_of` is None for a scalar, which is placed in scalar memory (SMEM).
    """

    shape: tuple[int, ...]
    block: tuple[int, ...]
    part_of: Callable[..., tuple[Any, ...]] | None

    @property
    def part(self) -> tuple[int, ...]:
        """Return the shape of a block. Along each dim, a block is at most as large as the array."""
        return tuple(map(min, self.block, self.shape))

    @property
    def spec(self) -> pl.BlockSpec:
        if self.part_of is None:
            return pl.BlockSpec(memory_space=pltpu.SMEM)
        return pl.BlockSpec(self.part, self.part_of)


def run(
    kernel: Callable[..., None],
    launch: Launch[Any],
    operands: Mapping[str, tuple[jax.Array | None, Block]],
    results: Mapping[str, Block],
    *,
    name: str,
    grid: Sequence[tuple[int, int]],
    semantics: Sequence[str],
    scratch: Mapping[str, tuple[Block, str]] = {},
    values: Mapping[str, Any] = {},
) -> tuple[jax.Array, ...]:
    """Call `kernel` once for each block of the grid, and return the results that it writes.

    `operands` and `results` map names to arrays and blocks. The kernel receives None for an absent
    array. `grid` has a pair for each axis: the size of a dim, and the size of its blocks.
    """
    given = {n: (x, block) for n, (x, block) in operands.items() if x is not None}
    made = {n: spec for n, spec in launch.results._asdict().items() if spec is not None}
    types = [jax.ShapeDtypeStruct(spec.shape, DTYPES[spec.dtype]) for spec in made.values()]
    if 0 in (*(size for size, _ in grid), *(x.size for x, _ in given.values())):
        if any(each.size for each in types):
            raise ValueError(f"{name}: in Pallas no program runs where a dim is 0")
        return tuple(jnp.zeros(each.shape, each.dtype) for each in types)
    varying = frozenset().union(*(varying_axes(x) for x, _ in given.values()))
    refs = (*given, *made, *scratch)
    absent = dict.fromkeys((*operands, *results))

    def body(*given: Any) -> None:
        kernel(**absent | dict(zip(refs, given, strict=True)), **values)

    call = pl.pallas_call(
        body,
        grid=tuple(pl.cdiv(size, min(size, block)) for size, block in grid),
        in_specs=[block.spec for _, block in given.values()],
        out_specs=[results[n].spec for n in made],
        out_shape=[
            jax.ShapeDtypeStruct(results[n].shape, each.dtype, **manual_type(varying))
            for n, each in zip(made, types)
        ],
        scratch_shapes=[pltpu.VMEM(b.part, DTYPES[dtype]) for b, dtype in scratch.values()],
        compiler_params=pltpu.CompilerParams(dimension_semantics=tuple(semantics)),
        name=name,
    )
    arrays = call(*(vary(x.reshape(block.shape), varying) for x, block in given.values()))
    return tuple(x.reshape(each.shape) for x, each in zip(arrays, types, strict=True))
