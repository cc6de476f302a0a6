"""The ops as functions of tvm-ffi: one library for all that loads its modules."""

from opgen.spec.extensions import Extension

EXTENSION = Extension(title="tvm-ffi", on_demand=True)
