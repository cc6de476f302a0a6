// The weights family's handlers for XLA's FFI.
// Rendered by opgen from weights.toml.
#include "opgen/jax_given.h"

#include "weights_call.h"
