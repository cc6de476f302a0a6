"""The ops as functions of tvm-ffi: one library for all that loads its modules."""
