"""The C++ for JAX: handlers of XLA's FFI."""
