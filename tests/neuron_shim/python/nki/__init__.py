"""Stands for AWS Neuron's `nki`: kernels run over NumPy arrays. See the README two folders up.

After the documentation of `nki.jit`, `nki.simulate` and of launch grids ("SPMD Tensor
Addition"): every program of the grid runs the whole function; what it allocates in shared
HBM is one tensor for all of them.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from nki import language


class Kernel:
    """A kernel function with a launch grid: `kernel[2, 2](a, b)`."""

    def __init__(self, function: Callable[..., Any], grid: Sequence[int] = ()) -> None:
        self.function, self.grid = function, tuple(grid)
        self.__name__ = function.__name__

    def __getitem__(self, grid: int | tuple[int, ...]) -> Kernel:
        return Kernel(self.function, grid if isinstance(grid, tuple) else (grid,))


def jit(function: Callable[..., Any]) -> Kernel:
    return Kernel(function)


def simulate(kernel: Kernel) -> Callable[..., Any]:
    """The kernel as a function of NumPy arrays."""

    def run(*args: Any, **kwargs: Any) -> Any:
        language.reset()
        tensors = [language.Tensor(x) if isinstance(x, np.ndarray) else x for x in args]
        result: Any = None
        for program in itertools.product(*map(range, kernel.grid)):
            language.start(program)
            result = kernel.function(*tensors, **kwargs)
        several = isinstance(result, tuple)
        return tuple(t.array for t in result) if several else result.array

    return run
