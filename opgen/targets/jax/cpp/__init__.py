"""The C++ code for JAX: XLA FFI handlers."""
