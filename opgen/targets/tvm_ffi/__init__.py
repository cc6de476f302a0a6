"""The ops as functions of tvm-ffi: one library for all that loads its modules."""

from opgen.spec.extensions import Extension

EXTENSION = Extension(
    title="tvm-ffi",
    lint="opgen.targets.tvm_ffi.lint",
    kernels={"tvm_ffi": "opgen.targets.tvm_ffi.kind"},
    on_demand=True,
)
