// 64-bit keys that sort floats, for any op. No two keys are equal, so results do not depend on the
// order in which threads compare them.
#pragma once

#include <cmath>
#include <cstdint>

#include "opgen/half.h"

namespace opgen::cuda {

/// The largest number of floats that can be ranked, because their indices have 32 bits.
constexpr int64_t most_ranked = (int64_t{1} << 32) - 1;

/// Returns the key of a float and its index. A larger float has a larger key. Of equal floats, such
/// as 0 and -0, the one with the lower index has the larger key. NaNs have the smallest keys. A key
/// is never 0 or ~0.
OPGEN_ANYWHERE inline uint64_t ranked(float value, int64_t index) {
  const uint32_t bits = detail::bits_of(value == 0 ? 0.0f : value);
  const uint32_t place = bits >> 31 != 0 ? ~bits : bits | 0x80000000u;
  return static_cast<uint64_t>(value != value ? 0 : place) << 32 | ~static_cast<uint32_t>(index);
}

OPGEN_ANYWHERE inline int64_t index_of(uint64_t key) { return ~static_cast<uint32_t>(key); }

/// Returns the float of a key. The bits of a NaN are not preserved, and -0 becomes 0.
OPGEN_ANYWHERE inline float float_of(uint64_t key) {
  const uint32_t place = static_cast<uint32_t>(key >> 32);
  if (place == 0) return NAN;
  return detail::float_of(place >> 31 != 0 ? place & 0x7fffffffu : ~place);
}

}  // namespace opgen::cuda
