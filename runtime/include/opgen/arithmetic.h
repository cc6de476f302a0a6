// The functions of the spec's expression language. They compute the same values as Python.
#pragma once

#include <cmath>
#include <cstdint>
#include <type_traits>

#include "opgen/buffer.h"
#include "opgen/int.h"
#include "opgen/refused.h"
#include "opgen/sizes.h"

namespace opgen {

/// `a / b`, rounded up.
inline Int ceildiv(Int a, Int b) { return a / b + (a % b != 0); }

/// The smallest multiple of `m` that is at least `a`.
inline Int roundup(Int a, Int m) { return ceildiv(a, m) * m; }

/// Python's `a / b`.
inline double truediv(double a, double b) {
  if (b == 0) refuse("division of ", a, " by zero");
  return a / b;
}
inline double truediv(Int a, Int b) {
  if (b == 0) refuse("division of ", a, " by zero");
  // In long double, the quotient of two 64-bit integers is rounded only once.
  return static_cast<double>(static_cast<long double>(a.value()) / b.value());
}
template <class T, class = std::enable_if_t<std::is_floating_point_v<T>>>
double truediv(Int a, T b) {
  return truediv(static_cast<double>(a), b);
}
template <class T, class = std::enable_if_t<std::is_floating_point_v<T>>>
double truediv(T a, Int b) {
  return truediv(a, static_cast<double>(b));
}

/// Python's `a % b` of floats: it has the sign of `b`.
inline double modulo(double a, double b) {
  if (b == 0) refuse("remainder of ", a, " by zero");
  const double remainder = std::fmod(a, b);
  if (remainder == 0) return std::copysign(0.0, b);
  return (remainder < 0) != (b < 0) ? remainder + b : remainder;
}

/// Python's `a // b` of floats.
inline double floordiv(double a, double b) {
  const double quotient = (a - modulo(a, b)) / b;
  if (quotient == 0) return std::copysign(0.0, a / b);
  const double floor = std::floor(quotient);
  return quotient - floor > 0.5 ? floor + 1 : floor;
}

/// Python's `base**exponent` of integers, whose exponent must not be negative.
inline Int power(Int base, Int exponent) {
  if (exponent < 0) refuse(base, "**", exponent, " is no integer");
  Int result = 1;
  // The loop does not compute the last square, because it is not needed and might overflow.
  for (int64_t left = exponent.value(); left > 0; left >>= 1) {
    if (left & 1) result = result * base;
    if (left > 1) base = base * base;
  }
  return result;
}

/// Python's `base**exponent` of floats, if the result is a real number.
inline double power(double base, double exponent) {
  if (base == 0 && exponent < 0) refuse("0.0 to a negative power");
  const double result = std::pow(base, exponent);
  if (!std::isfinite(result) && std::isfinite(base) && std::isfinite(exponent)) {
    refuse(base, "**", exponent, " is no number");
  }
  return result;
}

template <class T, class... Rest>
T min(T first, Rest... rest) {
  ((first = rest < first ? rest : first), ...);
  return first;
}

template <class T, class... Rest>
T max(T first, Rest... rest) {
  ((first = rest > first ? rest : first), ...);
  return first;
}

inline Sizes sizes_of(const Buffer& tensor) { return Sizes(tensor.sizes, tensor.rank); }

inline Int rank(const Buffer& tensor) { return tensor.rank; }

inline Int numel(const Buffer& tensor) { return prod(sizes_of(tensor)); }

/// The distance in memory of neighbours in dim `dim`, in elements.
inline Int stride(const Buffer& tensor, Int dim) { return Sizes(tensor.strides, tensor.rank)[dim]; }

}  // namespace opgen
