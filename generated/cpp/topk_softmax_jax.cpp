// The topk_softmax family's handlers for XLA's FFI.
// Rendered by opgen from topk_softmax.toml.
#include "opgen/jax.h"

#include "topk_softmax_call.h"
