// The fused_add_rms_norm family's handlers for XLA's FFI. Rendered by opgen from fused_add_rms_norm.toml.
#include "opgen/jax_given.h"

#include "fused_add_rms_norm_call.h"
