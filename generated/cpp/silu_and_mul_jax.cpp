// The silu_and_mul family's handlers for XLA's FFI. Rendered by opgen from silu_and_mul.toml.
#include "opgen/jax.h"

#include "silu_and_mul_call.h"
