// Calls with only addresses and a packed descriptor; for any op.
#pragma once

#include <cstdint>
#include <cstdio>
#include <exception>

#include "opgen/buffer.h"
#include "opgen/element_type.h"
#include "opgen/refused.h"

namespace opgen::opaque {

/// A tensor of which only the address and the dtype are known: its sizes stand in the descriptor.
inline Buffer buffer(void* data, ElementType dtype) { return {data, nullptr, nullptr, 0, dtype}; }

/// The dtype in a field of the descriptor of `op`; throws `Refused` where its code is none.
template <class T>
ElementType dtype(const char* op, const char* field, T code) {
  const int64_t value = static_cast<int64_t>(code);
  if (!is_element_type(value)) refuse(op, ": ", field, ": there is no dtype of code ", value);
  return static_cast<ElementType>(value);
}

/// The error of the thread's last call. An array, so that there is no memory to run out of.
inline thread_local char last_error[1024] = "";

/// Runs `call`; what it throws is kept in `last_error`: the signature has no status to return.
template <class Call>
void guarded(Call&& call) noexcept {
  last_error[0] = '\0';
  try {
    call();
  } catch (const std::exception& error) {
    std::snprintf(last_error, sizeof last_error, "%s", error.what());
  }
}

}  // namespace opgen::opaque
