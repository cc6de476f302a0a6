// All that a kernel needs.
#pragma once

#include "opgen/buffer.h"
#include "opgen/context.h"
#include "opgen/dispatch.h"
#include "opgen/dtype.h"
#include "opgen/status.h"

/// Marks the functions that other libraries call; everything else is hidden.
#define OPGEN_EXPORT __attribute__((visibility("default")))
