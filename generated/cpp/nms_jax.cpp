// The nms family's handlers for XLA's FFI.
// Rendered by opgen from nms.toml.
#include "opgen/jax.h"

#include "nms_call.h"
