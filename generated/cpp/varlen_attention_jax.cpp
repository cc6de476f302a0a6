// The varlen_attention family's handlers for XLA's FFI.
// Rendered by opgen from varlen_attention.toml.
#include "opgen/jax_given.h"

#include "varlen_attention_call.h"
