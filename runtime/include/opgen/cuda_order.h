// Floats in order, as keys of 64 bits; for any op. No two are equal, so results do not depend on
// the order in which threads compare.
#pragma once

#include <cmath>
#include <cstdint>

#include "opgen/half.h"

namespace opgen::cuda {

/// The largest number of floats that can be ranked, because their indices have 32 bits.
constexpr int64_t most_ranked = (int64_t{1} << 32) - 1;

/// The key of a float and its index: the larger comes first. That is the larger float, of equal
/// ones (0 and -0 are) that of the lower index; NaNs come last. It is never 0, nor ~0.
OPGEN_ANYWHERE inline uint64_t ranked(float value, int64_t index) {
  const uint32_t bits = detail::bits_of(value == 0 ? 0.0f : value);
  const uint32_t place = bits >> 31 != 0 ? ~bits : bits | 0x80000000u;
  return static_cast<uint64_t>(value != value ? 0 : place) << 32 | ~static_cast<uint32_t>(index);
}

OPGEN_ANYWHERE inline int64_t index_of(uint64_t key) { return ~static_cast<uint32_t>(key); }

/// The float of a key, a NaN as any NaN, -0 as 0.
OPGEN_ANYWHERE inline float float_of(uint64_t key) {
  const uint32_t place = static_cast<uint32_t>(key >> 32);
  if (place == 0) return NAN;
  return detail::float_of(place >> 31 != 0 ? place & 0x7fffffffu : ~place);
}

}  // namespace opgen::cuda
