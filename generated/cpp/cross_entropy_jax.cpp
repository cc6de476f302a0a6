// The cross_entropy family's handlers for XLA's FFI. Rendered by opgen from cross_entropy.toml.
#include "opgen/jax_given.h"

#include "cross_entropy_call.h"
