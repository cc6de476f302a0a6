// PyTorch's own error where no memory was left.
#pragma once

#include <c10/util/Exception.h>

#include "opgen/refused.h"

namespace opgen {

// Runs `call`. Kernels cannot throw PyTorch's errors, whose layout is that of one version.
template <class Call>
auto with_own_errors(Call&& call) {
  try {
    return call();
  } catch (const OutOfMemory& error) {
    C10_THROW_ERROR(OutOfMemoryError, error.what());
  }
}

}  // namespace opgen
