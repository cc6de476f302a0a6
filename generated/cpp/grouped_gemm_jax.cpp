// The grouped_gemm family's handlers for XLA's FFI.
// Rendered by opgen from grouped_gemm.toml.
#include "opgen/jax.h"

#include "grouped_gemm_call.h"
