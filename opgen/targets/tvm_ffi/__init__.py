"""The ops as tvm-ffi functions, in one library for every program that loads tvm-ffi modules."""

from opgen.spec.extensions import Extension

EXTENSION = Extension(
    title="tvm-ffi",
    lint="opgen.targets.tvm_ffi.lint",
    kernels={"tvm_ffi": "opgen.targets.tvm_ffi.kind"},
    on_demand=True,
)
