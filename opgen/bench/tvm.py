"""Call the kernel of an op through apache-tvm-ffi, in PyTorch on the CPU.

This peer shows the cost of a minimal handwritten binding. The result shapes are known, and the
descriptor is packed beforehand. Nothing is checked, and there is no gradient.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import torch

from opgen.bench.work import there
from opgen.build.runtime_files import include_dir
from opgen.ir.nodes import Tensor
from opgen.ir.op import Op
from opgen.language.dtypes import DTYPES
from opgen.targets.torch import TORCH_NAMES
from opgen.testing.environment import Case, dtype_in, environment, shape_in
from opgen.testing.hostile import entry
from opgen.testing.op_under_test import OpUnderTest

NAME = "tvm-ffi"
SOURCE = Path(__file__).with_suffix(".cpp")


def kernel_call(subject: OpUnderTest, case: Case) -> Callable[..., object] | None:
    """Return a function that calls the op's kernel on inputs with the sizes and attrs of `case`.

    Return None if tvm-ffi is not installed, if the op has lists of tensors, or if the kernel has
    several functions. Return None also if only the kernel can compute the size of its workspace.
    """
    op, kernel = subject.op, subject.op.kernel("cpu")
    if (
        find_spec("tvm_ffi") is None
        or kernel is None
        or any(tensor.list for tensor in op.tensors)
        or kernel.workspace
        or len(kernel.symbol.cases) > 1
    ):
        return None
    values = environment(op, case)
    made = [
        _maker(op, tensor, values, case) for tensor in (*op.outputs, *op.residuals, *op.workspace)
    ]
    types = bytes(DTYPES[dtype_in(t, values)].code for t in op.tensors)
    updated = [n for n, tensor in enumerate(op.inputs) if tensor.update]

    @cache
    def bound() -> Callable[..., None]:
        """Build the function at the first call. If the build fails, this peer is not measured."""
        grid = struct.pack("=3q", *entry.extent(kernel.grid, values))
        descriptor = entry.descriptor(subject, values)
        bind: Callable[..., Callable[..., None]] = _library().bind
        return bind(entry.address(subject), descriptor, types, grid)

    def call(*inputs: torch.Tensor | None) -> object:
        given = inputs + (None,) * (len(op.inputs) - len(inputs))
        results = [make() for make in made]
        bound()(*results, *given)
        return (*results[: len(op.outputs)], *(given[n] for n in updated))

    return call


def _maker(op: Op, tensor: Tensor, values: Mapping[str, Any], case: Case) -> Callable[[], object]:
    if tensor.optional or not there(tensor, values):
        return lambda: None
    shape = shape_in(op, tensor, values, case)
    dtype = getattr(torch, TORCH_NAMES[dtype_in(tensor, values)])
    return lambda: torch.empty(shape, dtype=dtype)


@cache
def _library() -> Any:
    import tvm_ffi.cpp

    return tvm_ffi.cpp.load_inline(
        "opgen_bench_tvm",
        cpp_sources=SOURCE.read_text(),
        functions=["bind"],
        extra_cflags=["-fopenmp"],
        extra_ldflags=["-fopenmp"],
        extra_include_paths=[str(include_dir())],
    )
