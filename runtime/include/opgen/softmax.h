// The maximum and sum of a softmax over a row, on the CPU.
//
// The sum of exponentials leaves out the largest number, which is 1. Next to it the other
// probabilities would be lost.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "opgen/vector.h"

namespace opgen {

/// The largest of `count` numbers; a NaN is none. Four are looked for, so that none waits for
/// another.
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

/// The largest number of a row, and the sum of exp(z - top) over all but one that is the largest.
template <class Acc>
struct Exponentials {
  Acc top, rest;
};

/// The exponentials of a row. It is read once, in parts that stay in the nearest cache for a second
/// look. NaN is the rest of a row with a NaN or infinity, or of nothing but -infinity.
template <class Acc, class T>
Exponentials<Acc> exponentials(const T* z, int64_t columns) noexcept {
  using Numbers = Vector<Acc>;
  constexpr int64_t part = 2048;
  constexpr Acc lowest = -std::numeric_limits<Acc>::infinity();
  Acc top = lowest;
  double below = 0, equal = 0;  // the sum of exp(z - top) where z < top; how many z are the top
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

/// log(1 + rest) for a sum of exponentials. log is quicker than log1p. In double, since C libraries
/// round the log1p of a float differently.
template <class Acc>
Acc log_of_sum(Acc rest) noexcept {
  const auto wide = static_cast<double>(rest);
  return static_cast<Acc>(wide < 1 ? std::log1p(wide) : std::log(1 + wide));
}

}  // namespace opgen
