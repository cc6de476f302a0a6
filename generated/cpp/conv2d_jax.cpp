// The conv2d family's handlers for XLA's FFI.
// Rendered by opgen from conv2d.toml.
#include "opgen/jax_given.h"

#include "conv2d_call.h"
