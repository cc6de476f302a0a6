// A kernel's error report in addition to its status: the argument and the element that are wrong.
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>

#include "opgen/status.h"

namespace opgen {

/// The failure of a call, for its error message.
struct Failure {
  Status status = Status::ok;  // a failure of threads, which the kernel cannot return itself
  // The argument with an element out of range, or the message of an external function, or null.
  const char* argument = nullptr;
  const int64_t* sizes = nullptr;  // the sizes of this argument
  int32_t rank = 0;
  int64_t at = 0, value = 0;  // the element: its row-major position, and its value
  int64_t low = 0, high = 0;  // the valid range: low <= value < high
};

/// The first invalid element that any thread finds.
class FirstBad {
 public:
  void found(int64_t at) noexcept {
    int64_t first = at_.load(std::memory_order_relaxed);
    while (at < first && !at_.compare_exchange_weak(first, at, std::memory_order_relaxed)) {
    }
  }

  explicit operator bool() const noexcept { return at() != none; }

  int64_t at() const noexcept { return at_.load(std::memory_order_relaxed); }

 private:
  static constexpr int64_t none = std::numeric_limits<int64_t>::max();
  std::atomic<int64_t> at_{none};
};

}  // namespace opgen
