// The options family's handlers for XLA's FFI.
// Rendered by opgen from options.toml.
#include "opgen/jax_given.h"

#include "options_call.h"
