// e^x in a form that compilers vectorise: no call, no branch, no table.
//
// x = n ln2 + r with |r| <= ln2 / 2; e^r is 1 + r + r^2 Q(r), Q a polynomial of least relative
// error; 2^n is made of its exponent's bits. Within 1 ulp where the machine has fused
// multiply-add, else 2. Results under the smallest normal number are 0, those of 2^127.49
// (2^1023.49) and more infinity; a NaN stays one.
#pragma once

#include <cstdint>
#include <cstring>
#include <limits>
#include <utility>

#include "opgen/multiply_add.h"

namespace opgen {
namespace detail {

template <class T>
struct Exponential;

template <>
struct Exponential<float> {
  using Bits = uint32_t;
  static constexpr int mantissa = 23;
  // Adding it to a small number leaves its nearest integer plus the exponent's bias in the low bits.
  static constexpr float round = 0x1.8p23f + 127;
  static constexpr float lowest = -0x1.5d589ep6f, highest = 0x1.617a32p6f;
  static constexpr float log2_e = 0x1.715476p0f;
  static constexpr float ln2_high = 0x1.62e4p-1f, ln2_low = 0x1.7f7d1cp-20f;
  static constexpr float Q[] = {0x1.6a2352p-10f, 0x1.123a6cp-7f, 0x1.5558f4p-5f, 0x1.55549p-3f,
                                0x1.fffffcp-2f};
};

template <>
struct Exponential<double> {
  using Bits = uint64_t;
  static constexpr int mantissa = 52;
  static constexpr double round = 0x1.8p52 + 1023;
  static constexpr double lowest = -0x1.6232bdd7abcd2p9, highest = 0x1.62b6f0483f4e9p9;
  static constexpr double log2_e = 0x1.71547652b82fep0;
  static constexpr double ln2_high = 0x1.62e42fefap-1, ln2_low = 0x1.cf79abc9e3b3ap-40;
  static constexpr double Q[] = {2.5110154340462048e-08, 2.7632791582662336e-07,
                                 2.7557242059340425e-06, 2.4801486965350888e-05,
                                 0.00019841269886836392, 0.0013888888948140007,
                                 0.008333333333322127,   0.04166666666652095,
                                 0.16666666666666674,    0.500000000000001};
};

/// Q(r), by Horner's rule; no loop, within which compilers would not vectorise.
template <class T, size_t... k>
inline T Q_of(T r, std::index_sequence<k...>) noexcept {
  T power = Exponential<T>::Q[0];
  ((power = multiply_add(power, r, Exponential<T>::Q[k + 1])), ...);
  return power;
}

}  // namespace detail

/// The least x for which e^x is a normal number.
template <class T>
inline constexpr T exp_lowest = detail::Exponential<T>::lowest;

/// e^x of a `float` or a `double`.
template <class T>
inline T exp(T x) noexcept {
  using E = detail::Exponential<T>;
  const T shifted = multiply_add(x, E::log2_e, E::round);
  const T n = shifted - E::round;
  const T r = multiply_add(n, -E::ln2_low, multiply_add(n, -E::ln2_high, x));
  T power = detail::Q_of(r, std::make_index_sequence<sizeof E::Q / sizeof *E::Q - 1>());
  power = multiply_add(multiply_add(power, r, T(1)), r, T(1));
  typename E::Bits bits;
  std::memcpy(&bits, &shifted, sizeof bits);
  bits <<= E::mantissa;
  T scale;
  std::memcpy(&scale, &bits, sizeof scale);
  // Written so that a NaN, which compares with nothing, takes the product.
  T result = power * scale;
  result = x < E::lowest ? T(0) : result;
  return x > E::highest ? std::numeric_limits<T>::infinity() : result;
}

}  // namespace opgen
