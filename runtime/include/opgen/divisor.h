// Fast division by a number that is known before a kernel runs. It needs a product and a shift.
//
// Granlund and Montgomery, Division by Invariant Integers using Multiplication, 1994: theorem 4.2.
#pragma once

#include <cstdint>

#include "opgen/half.h"  // OPGEN_ANYWHERE

namespace opgen {

class Divisor {
 public:
  /// Divides by 1.
  Divisor() noexcept : Divisor(1) {}

  /// Divides by a number that is at least 1.
  explicit Divisor(int64_t by) noexcept : by_(by) {
    while ((Wide{1} << shift_) < static_cast<Wide>(by)) ++shift_;
    factor_ = static_cast<uint64_t>((Wide{1} << (63 + shift_)) / static_cast<Wide>(by) + 1);
  }

  OPGEN_ANYWHERE int64_t by() const noexcept { return by_; }

  /// The quotient of a number that is at least 0, rounded down.
  OPGEN_ANYWHERE int64_t operator()(int64_t number) const noexcept {
    const Wide product = static_cast<Wide>(2 * static_cast<uint64_t>(number)) * factor_;
    return static_cast<int64_t>(static_cast<uint64_t>(product >> 64) >> shift_);
  }

 private:
  using Wide = unsigned __int128;

  int64_t by_;
  uint64_t factor_;
  int shift_ = 0;
};

}  // namespace opgen
