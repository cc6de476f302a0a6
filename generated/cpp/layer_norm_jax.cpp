// The layer_norm family's handlers for XLA's FFI. Rendered by opgen from layer_norm.toml.
#include "opgen/jax_given.h"

#include "layer_norm_call.h"
