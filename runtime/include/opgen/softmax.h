// The maximum and sum of a softmax over a row, on the CPU.
//
// The sum of exponentials leaves out the largest number, which contributes 1. If all other
// exponentials are small, a sum with this 1 would lose their digits.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "opgen/vector.h"

namespace opgen {

/// The largest of `count` numbers. NaNs are ignored. Four maxima are computed independently, to
/// hide latency.
template <class Acc, class T>
Acc highest(const T* z, int64_t count) noexcept {
  using Numbers = Vector<Acc>;
  constexpr int64_t width = lanes<Acc>;
  constexpr Acc lowest = -std::numeric_limits<Acc>::infinity();
  Numbers most[4];
  for (Numbers& each : most) each = Numbers{} + lowest;
  const auto raise = [=](Numbers& most, auto v) {
    const Numbers value = v.only(v.load(z), lowest);
    most = value > most ? value : most;
  };
  int64_t at = 0;
  for (; at + 4 * width <= count; at += 4 * width) {
    for (int64_t t = 0; t < 4; ++t) raise(most[t], Lanes<Acc, true>{at + t * width});
  }
  each_vector<Acc>(at, count, Streamed{}, [&](auto v) { raise(most[0], v); });
  for (int64_t t = 1; t < 4; ++t) most[0] = most[t] > most[0] ? most[t] : most[0];
  Acc found = most[0][0];
  for (int64_t i = 1; i < width; ++i) found = most[0][i] > found ? most[0][i] : found;
  return found;
}

/// The largest number of a row (`top`), and the sum of exp(z - top) over all numbers except one
/// that equals `top`.
template <class Acc>
struct Exponentials {
  Acc top, rest;
};

/// Returns the `Exponentials` of a row. The row is read from memory once, in parts that stay in the
/// first-level cache while they are used twice. `rest` is NaN for a row that contains a NaN or
/// infinity, or only -infinity.
template <class Acc, class T>
Exponentials<Acc> exponentials(const T* z, int64_t columns) noexcept {
  using Numbers = Vector<Acc>;
  constexpr int64_t part = 2048;
  constexpr Acc lowest = -std::numeric_limits<Acc>::infinity();
  Acc top = lowest;
  double below = 0, equal = 0;  // sum of exp(z - top) for z < top; count of z == top
  for (int64_t begin = 0; begin < columns; begin += part) {
    const int64_t end = std::min(columns, begin + part);
    const Acc peak = highest<Acc>(z + begin, end - begin);
    if (peak > top) {
      if (top > lowest) below = (below + equal) * std::exp(static_cast<double>(top) - peak);
      equal = 0;
      top = peak;
    }
    Numbers sum = {}, count = {};
    each_vector<Acc>(begin, end, Streamed{}, [&](auto v) {
      v.prefetch(z + part);
      const Numbers value = v.only(v.load(z), lowest);
      const auto is_top = value == top;
      const Numbers e = exp_of_small<Acc>(value - top);
      sum = is_top ? sum : sum + e;
      count = is_top ? count + 1 : count;
    });
    below += sum_of<Acc>(sum);
    equal += sum_of<Acc>(count);
  }
  return {top, static_cast<Acc>(below + (equal - 1) + (top - top))};  // infinity - itself is NaN
}

/// log(1 + rest) for a sum of exponentials, computed in double. C libraries round the log1p of a
/// float differently, and log is faster than log1p.
template <class Acc>
Acc log_of_sum(Acc rest) noexcept {
  const auto wide = static_cast<double>(rest);
  return static_cast<Acc>(wide < 1 ? std::log1p(wide) : std::log(1 + wide));
}

}  // namespace opgen
