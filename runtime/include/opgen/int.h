// Integers for sizes. They behave like Python's, but throw an error if a result exceeds 64 bits.
#pragma once

#include <cstdint>
#include <ostream>
#include <type_traits>

#include "opgen/refused.h"

namespace opgen {

/// A 64-bit integer. `+ - *` throw `Refused` on overflow, and so does the conversion of a larger
/// unsigned number. `/` and `%` round down, like Python's `//` and `%`, and throw `Refused` if the
/// divisor is zero.
class Int {
 public:
  constexpr Int() = default;
  template <class T, class = std::enable_if_t<std::is_integral_v<T>>>
  constexpr Int(T value) : value_(static_cast<int64_t>(value)) {
    if constexpr (std::is_unsigned_v<T> && sizeof(T) == sizeof(int64_t)) {
      if (value_ < 0) refuse(value, " does not fit in 64 bits");
    }
  }

  constexpr int64_t value() const { return value_; }
  constexpr explicit operator int64_t() const { return value_; }
  constexpr explicit operator double() const { return static_cast<double>(value_); }

  friend Int operator+(Int a, Int b) {
    int64_t result;
    if (__builtin_add_overflow(a.value_, b.value_, &result)) overflow(a, '+', b);
    return result;
  }
  friend Int operator-(Int a, Int b) {
    int64_t result;
    if (__builtin_sub_overflow(a.value_, b.value_, &result)) overflow(a, '-', b);
    return result;
  }
  friend Int operator*(Int a, Int b) {
    int64_t result;
    if (__builtin_mul_overflow(a.value_, b.value_, &result)) overflow(a, '*', b);
    return result;
  }
  friend Int operator-(Int a) { return Int(0) - a; }

  friend Int operator/(Int a, Int b) {
    if (b.value_ == 0) refuse("division of ", a, " by zero");
    if (b.value_ == -1) return -a;  // throws if -a overflows; the processor's division would trap
    const int64_t quotient = a.value_ / b.value_;
    const bool inexact = quotient * b.value_ != a.value_;
    return quotient - (inexact && (a.value_ < 0) != (b.value_ < 0));
  }
  friend Int operator%(Int a, Int b) {
    if (b.value_ == 0) refuse("remainder of ", a, " by zero");
    if (b.value_ == -1) return 0;
    const int64_t remainder = a.value_ % b.value_;
    return remainder != 0 && (remainder < 0) != (b.value_ < 0) ? remainder + b.value_ : remainder;
  }

  friend constexpr bool operator==(Int a, Int b) { return a.value_ == b.value_; }
  friend constexpr bool operator!=(Int a, Int b) { return a.value_ != b.value_; }
  friend constexpr bool operator<(Int a, Int b) { return a.value_ < b.value_; }
  friend constexpr bool operator<=(Int a, Int b) { return a.value_ <= b.value_; }
  friend constexpr bool operator>(Int a, Int b) { return a.value_ > b.value_; }
  friend constexpr bool operator>=(Int a, Int b) { return a.value_ >= b.value_; }

  // In an operation with a floating-point number, an `Int` is converted to floating point.
#define OPGEN_MIXED(type, op)                                               \
  template <class T, class = std::enable_if_t<std::is_floating_point_v<T>>> \
  friend constexpr type operator op(Int a, T b) {                           \
    return static_cast<double>(a) op b;                                     \
  }                                                                         \
  template <class T, class = std::enable_if_t<std::is_floating_point_v<T>>> \
  friend constexpr type operator op(T a, Int b) {                           \
    return a op static_cast<double>(b);                                     \
  }
  OPGEN_MIXED(double, +)
  OPGEN_MIXED(double, -)
  OPGEN_MIXED(double, *)
  OPGEN_MIXED(bool, ==)
  OPGEN_MIXED(bool, !=)
  OPGEN_MIXED(bool, <)
  OPGEN_MIXED(bool, <=)
  OPGEN_MIXED(bool, >)
  OPGEN_MIXED(bool, >=)
#undef OPGEN_MIXED

  friend std::ostream& operator<<(std::ostream& out, Int a) { return out << a.value_; }

 private:
  [[noreturn]] __attribute__((noinline, cold)) static void overflow(Int a, char op, Int b) {
    refuse(a, " ", op, " ", b, " does not fit in 64 bits");
  }

  int64_t value_ = 0;
};

}  // namespace opgen
