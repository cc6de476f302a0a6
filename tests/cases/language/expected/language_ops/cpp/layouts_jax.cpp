// The layouts family's handlers for XLA's FFI.
// Rendered by opgen from layouts.toml.
#include "opgen/jax_given.h"

#include "layouts_call.h"
