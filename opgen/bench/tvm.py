"""Call the kernel of an op through apache-tvm-ffi, in PyTorch on the CPU.

This peer shows the cost of a minimal handwritten binding. The result shapes are known, and the
descriptor is packed beforehand. Nothing is checked, and there is no gradient.
"""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Callable, Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import torch

from opgen.bench.work import there
from opgen.build.runtime_files import include_dir
from opgen.ir.nodes import Kernel, Tensor
from opgen.ir.op import Op
from opgen.language.dtypes import DTYPES
from opgen.language.expr.evaluate import Unbound, evaluate
from opgen.targets.torch import TORCH_NAMES
from opgen.testing.environment import Case, dtype_in, environment, shape_in
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
        grid = struct.pack("=3q", *_grid(kernel, values))
        descriptor = _descriptor(subject, values)
        bind: Callable[..., Callable[..., None]] = _library().bind
        return bind(_address(subject), descriptor, types, grid)

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


def _descriptor(subject: OpUnderTest, values: Mapping[str, Any]) -> bytes:
    """Return the kernel's packed descriptor. Dtypes and string attrs are stored as numbers."""
    choices = {attr.name: attr.choices for attr in subject.op.attrs}
    fields = {}
    for field in subject.op.descriptor.fields:
        try:
            value = evaluate(field.value, values)
        except Unbound:  # this size occurs only in other forms of the call
            value = 0
        if isinstance(value, str) and field.type != "dtype":
            of = choices.get(field.name)
            value = of.index(value) if of else DTYPES[value].code
        fields[field.name] = value
    packed: bytes = subject.core.pack(**fields)
    return packed


def _grid(kernel: Kernel, values: Mapping[str, Any]) -> list[int]:
    """Return the grid of a kernel launch: the number of programs along three axes."""
    extents = [int(evaluate(extent, values)) for extent in kernel.grid]
    return extents + [1] * (3 - len(extents))


def _address(subject: OpUnderTest) -> int:
    """Return the address of the kernel's entry in this process, for the current processor."""
    project = subject.project
    folder = Path(str(subject.module("torch").__file__)).parents[1] / "lib"
    path = next(folder.rglob(f"lib{project.namespace}_kernels-*.so"))
    # By its name, dlopen finds the library that the op has loaded. The path would load the baseline
    # library instead.
    library = ctypes.CDLL(path.name)
    entry = getattr(library, f"{project.namespace}_{subject.name}_cpu")
    return ctypes.cast(entry, ctypes.c_void_p).value or 0


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
