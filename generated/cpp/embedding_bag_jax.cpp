// The embedding_bag family's handlers for XLA's FFI. Rendered by opgen from embedding_bag.toml.
#include "opgen/jax_given.h"

#include "embedding_bag_call.h"
