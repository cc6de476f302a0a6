// The stored family's handlers for XLA's FFI.
// Rendered by opgen from stored.toml.
#include "opgen/jax_given.h"

#include "stored_call.h"
