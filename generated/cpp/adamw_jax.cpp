// The adamw family's handlers for XLA's FFI. Rendered by opgen from adamw.toml.
#include "opgen/jax_given.h"

#include "adamw_call.h"
