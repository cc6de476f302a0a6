"""Checks of the values that Triton kernels compute. They run in Triton's interpreter on the CPU."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from opgen.ir.nodes import Kernel
from opgen.language.dtypes import DTYPES
from opgen.language.expr.evaluate import evaluate
from opgen.targets.triton.code import TritonKernel
from opgen.testing import triton_interpreter
from opgen.testing.calls import inferred
from opgen.testing.draw import draw
from opgen.testing.environment import Case, dtype_in, environment, meets, numpy_dtype, shape_in
from opgen.testing.exact import Results
from opgen.testing.op_under_test import OpUnderTest

if find_spec("triton") is None:
    raise ModuleNotFoundError("Triton is not installed", name="triton")

# The device for which the kernels' requirements and grids are evaluated.
DEVICE = {"arch": 90, "sms": 132}


def interpreted(subject: OpUnderTest, case: Case) -> None:
    """Check that each Triton kernel that accepts the call agrees with the reference."""
    op, values = subject.op, environment(subject.op, case) | DEVICE
    kernels = [k for k in op.kernels if isinstance(k.code, TritonKernel)]
    taking = [k for k in kernels if meets(values, k.require)]
    if not taking:
        pytest.skip("no kernel in Triton takes this call")
    arrays = draw(op, case)
    exact = Results(subject, case, arrays)
    for kernel in taking:
        written = _run(subject, case, kernel, arrays, values)
        got = [written.get(tensor.name) for tensor in op.results]
        exact.check(subject.filled(got), f" of {kernel.name}")


def _run(
    subject: OpUnderTest, case: Case, kernel: Kernel, arrays: list[Any], values: Mapping[str, Any]
) -> dict[str, np.ndarray]:
    """Run the kernel in the interpreter. Return all arrays, by name, after the launch."""
    op, triton = subject.op, kernel.code
    assert isinstance(triton, TritonKernel), "only kernels in Triton are run so"
    given = {t.name: x for t, x in zip(op.inputs, arrays)}
    for tensor, spec in inferred(subject, case, arrays, of=op.written):
        given[tensor.name] = None if spec is None else _unwritten(spec.shape, spec.dtype)
    for tensor in op.workspace:
        dtype = dtype_in(tensor, values)
        given[tensor.name] = _unwritten(shape_in(op, tensor, values, case), dtype)
    fields = {f.name: f for f in op.descriptor.fields}
    known = dict(values)
    for name in {*fields} - given.keys():
        value = evaluate(fields[name].value, values)
        known[name] = DTYPES[value].code if fields[name].type == "dtype" else value
    arguments = {n: given[n] if n in given else known[n] for n in triton.arguments}
    for constant in triton.constants:
        wish = None if constant.expr is None else int(evaluate(constant.expr, known))
        arguments[constant.name] = next(v for v in constant.values if wish is None or v >= wish)
    chosen = {name: choices[0] for name, choices in triton.tuned}
    arguments |= {n: v for n, v in chosen.items() if n not in ("num_warps", "num_stages")}
    if triton.grid:  # the grid depends on fields of the descriptor and on tuned values
        grid = tuple(int(evaluate(extent, known | chosen)) for extent in triton.grid)
    else:
        grid = tuple(int(evaluate(extent, values)) for extent in kernel.grid)
    folder = Path(str(import_module(subject.project.package).__file__)).parent
    file = str(folder / "reference" / triton.file)
    if 0 in grid:
        return {name: array for name, array in given.items() if array is not None}
    return dict(triton_interpreter.run(file, triton.function, grid, arguments))


def _unwritten(shape: tuple[int, ...], dtype: str) -> np.ndarray:
    """Return an array filled with a value that no kernel returns: NaN, or a very large integer."""
    size = np.dtype(numpy_dtype(dtype)).itemsize
    bits = np.full((*shape, size), 0x7F if size == 1 else 0xFF, np.uint8)
    return bits.view(numpy_dtype(dtype)).reshape(shape)
