// Includes everything that a kernel needs.
#pragma once

#include "opgen/buffer.h"
#include "opgen/context.h"
#include "opgen/dispatch.h"
#include "opgen/dtype.h"
#include "opgen/status.h"

/// Marks the functions that other libraries call. All other symbols are hidden.
#define OPGEN_EXPORT __attribute__((visibility("default")))
