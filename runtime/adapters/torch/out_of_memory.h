// Converts a failed allocation to PyTorch's own error.
#pragma once

#include <ATen/core/dispatch/Dispatcher.h>
#include <c10/util/Exception.h>

#include <string>

#include "opgen/refused.h"

namespace opgen {

// Runs `call`, and throws PyTorch's error if it runs out of memory. The error names `op`. Kernels
// cannot throw PyTorch's errors, because their layout differs between versions.
template <class Call>
auto with_own_errors(const c10::OperatorHandle& op, Call&& call) {
  try {
    return call();
  } catch (const OutOfMemory& error) {
    const std::string& qualified = op.operator_name().name;
    const std::string name = qualified.substr(qualified.rfind(':') + 1) + ": ";
    const std::string words = error.what();
    const bool named = words.compare(0, name.size(), name) == 0;
    C10_THROW_ERROR(OutOfMemoryError, named ? words : name + words);
  }
}

}  // namespace opgen
