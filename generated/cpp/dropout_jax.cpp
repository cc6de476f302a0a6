// The dropout family's handlers for XLA's FFI.
// Rendered by opgen from dropout.toml.
#include "opgen/jax.h"

#include "dropout_call.h"
