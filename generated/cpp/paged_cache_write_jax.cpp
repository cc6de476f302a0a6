// The paged_cache_write family's handlers for XLA's FFI.
// Rendered by opgen from paged_cache_write.toml.
#include "opgen/jax_given.h"

#include "paged_cache_write_call.h"
