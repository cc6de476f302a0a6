"""The lint rules about functions of tvm-ffi."""
