// The rotary family's handlers for XLA's FFI. Rendered by opgen from rotary.toml.
#include "opgen/jax_given.h"

#include "rotary_call.h"
