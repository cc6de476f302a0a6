// The columns family's handlers for XLA's FFI.
// Rendered by opgen from columns.toml.
#include "opgen/jax.h"

#include "columns_call.h"
