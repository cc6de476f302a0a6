// All that a rendered call needs: from arguments to sizes, results, workspace and descriptor.
#pragma once

#include "opgen/argument.h"
#include "opgen/arithmetic.h"
#include "opgen/attribute.h"
#include "opgen/context.h"
#include "opgen/descriptor.h"
#include "opgen/int.h"
#include "opgen/refused.h"
#include "opgen/sizes.h"
#include "opgen/status.h"

namespace opgen {

/// Where a kernel runs.
enum class Platform { cpu, cuda };

/// A grid and a block as expressions give them.
inline Launch launch(const Int (&grid)[3], const Int (&block)[3]) {
  Launch launch;
  for (int axis = 0; axis < 3; ++axis) {
    launch.grid[axis] = grid[axis].value();
    launch.block[axis] = block[axis].value();
  }
  return launch;
}

/// Throws a std::runtime_error unless the kernel of `op` succeeded.
inline void check(Status status, const char* op) {
  if (status == Status::ok) return;
  throw std::runtime_error(std::string(op) + ": " + describe(status) + " (status " +
                           std::to_string(static_cast<int32_t>(status)) + ")");
}

}  // namespace opgen
