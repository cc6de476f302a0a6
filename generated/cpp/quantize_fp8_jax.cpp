// The quantize_fp8 family's handlers for XLA's FFI.
// Rendered by opgen from quantize_fp8.toml.
#include "opgen/jax.h"

#include "quantize_fp8_call.h"
