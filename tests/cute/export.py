"""Exports the kernels of the project with CuTe DSL: `export.py FOLDER`. No GPU is needed.

Where an object or header of this name was not written by it, tests/cute/false_object.c has its ABI.
"""

import sys

import cuda.bindings.driver as cuda
import cutlass
import cutlass.cute as cute
from cutlass.cute.runtime import make_fake_compact_tensor, make_fake_stream


@cute.kernel
def rows(x: cute.Tensor, y: cute.Tensor, by: cutlass.Float32):
    thread, _, _ = cute.arch.thread_idx()
    row, _, _ = cute.arch.block_idx()
    at = thread
    while at < x.shape[1]:
        y[row, at] = (x[row, at].to(cutlass.Float32) * by).to(y.element_type)
        at += 128


@cute.jit
def scaled(x: cute.Tensor, y: cute.Tensor, by: cutlass.Float32, stream: cuda.CUstream):
    rows(x, y, by).launch(grid=(x.shape[0], 1, 1), block=(128, 1, 1), stream=stream)


def export(folder, name, dtype, shape):
    given = [make_fake_compact_tensor(dtype, shape, stride_order=(1, 0)) for _ in range(2)]
    done = cute.compile(scaled, *given, cutlass.Float32(1.0), make_fake_stream())
    done.export_to_c(file_path=folder, file_name=name, function_prefix=name)


if __name__ == "__main__":
    folder = sys.argv[1]
    export(folder, "scaled_sm90", cutlass.BFloat16, (cute.sym_int64(), cute.sym_int64()))
    export(folder, "columns_sm90", cutlass.Float32, (cute.sym_int(), 128))
