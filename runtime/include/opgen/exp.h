// e^x over its whole range, in a form that compilers vectorise: no call, no branch, no table.
//
// x = n ln2 + r with |r| <= ln2 / 2. e^r is 1 + r + r^2 Q(r), where Q is a polynomial with minimal
// relative error. 2^n is computed by setting the bits of the exponent. A result that may be
// subnormal or overflow is first scaled by a power of two, so that it is rounded only once. The
// error is at most 1 ulp on processors with fused multiply-add, and otherwise 2 ulp. Results that
// are too small become 0, results that are too large become infinity, and a NaN stays a NaN.
#pragma once

#include <cstdint>
#include <cstring>
#include <utility>

#include "opgen/multiply_add.h"

namespace opgen {
namespace detail {

template <class T>
struct Exponential;

template <>
struct Exponential<float> {
  using Type = float;
  using Bits = uint32_t;
  static constexpr int mantissa = 23;
  // The sum of this constant and a small number has the nearest integer to this number, plus the
  // exponent's bias, in its low bits.
  static constexpr float round = 0x1.8p23f + 127;
  static constexpr float log2_e = 0x1.715476p0f;
  static constexpr float ln2_high = 0x1.62e4p-1f, ln2_low = 0x1.7f7d1cp-20f;
  static constexpr float lowest = -105, highest = 89;  // e^lowest is 0, e^highest infinite
  static constexpr float normal = -0x1.5d589ep6f;      // e^normal is the least normal number
  // e^factor times e^-17 is normal, and so are both parts of e^factor as a `Split`.
  static constexpr float factor = -70;
  static constexpr int by = 32;
  static constexpr float power = 0x1p32f;  // 2^by
  static constexpr float Q[] = {0x1.6a2352p-10f, 0x1.123a6cp-7f, 0x1.5558f4p-5f, 0x1.55549p-3f,
                                0x1.fffffcp-2f};
};

template <>
struct Exponential<double> {
  using Type = double;
  using Bits = uint64_t;
  static constexpr int mantissa = 52;
  static constexpr double round = 0x1.8p52 + 1023;
  static constexpr double log2_e = 0x1.71547652b82fep0;
  static constexpr double ln2_high = 0x1.62e42fefap-1, ln2_low = 0x1.cf79abc9e3b3ap-40;
  static constexpr double lowest = -750, highest = 710;
  static constexpr double normal = -0x1.6232bdd7abcd2p9, factor = -560;
  static constexpr int by = 64;
  static constexpr double power = 0x1p64;
  static constexpr double Q[] = {2.5110154340462048e-08, 2.7632791582662336e-07,
                                 2.7557242059340425e-06, 2.4801486965350888e-05,
                                 0.00019841269886836392, 0.0013888888948140007,
                                 0.008333333333322127,   0.04166666666652095,
                                 0.16666666666666674,    0.500000000000001};
};

/// Q(r), by Horner's rule. It has no loop, because compilers would not vectorise a loop here.
template <class E, class V, class MultiplyAdd, size_t... k>
inline V Q_of(V r, MultiplyAdd multiply_add, std::index_sequence<k...>) noexcept {
  V power = V{} + E::Q[0];
  ((power = multiply_add(power, r, V{} + E::Q[k + 1])), ...);
  return power;
}

/// e^x 2^by for a number or a vector. `round` is E::round + by. For the range of x, see
/// `scaled_exp` in opgen/vector.h.
template <class E, class Bits, class V, class MultiplyAdd>
inline V scaled_exp(V x, V round, MultiplyAdd multiply_add) noexcept {
  const auto all = [](typename E::Type value) { return V{} + value; };
  const V shifted = multiply_add(x, all(E::log2_e), round);
  const V n = shifted - round;
  const V r = multiply_add(n, all(-E::ln2_low), multiply_add(n, all(-E::ln2_high), x));
  constexpr auto terms = std::make_index_sequence<sizeof E::Q / sizeof *E::Q - 1>();
  V power = Q_of<E>(r, multiply_add, terms);
  power = multiply_add(multiply_add(power, r, all(1)), r, all(1));
  Bits bits;
  std::memcpy(&bits, &shifted, sizeof bits);
  bits <<= E::mantissa;
  V scale;
  std::memcpy(&scale, &bits, sizeof scale);
  return power * scale;
}

/// e^x for a number or a vector. Each x must be in [E::lowest, E::highest], or NaN.
template <class E, class Bits, class V, class MultiplyAdd>
inline V exp_in_range(V x, MultiplyAdd multiply_add) noexcept {
  const auto all = [](typename E::Type value) { return V{} + value; };
  const auto small = x < 0;
  const V round = small ? all(E::round + E::by) : all(E::round - E::by);
  return scaled_exp<E, Bits>(x, round, multiply_add) * (small ? all(1 / E::power) : all(E::power));
}

}  // namespace detail

/// e^x of a `float` or a `double`.
template <class T>
inline T exp(T x) noexcept {
  using E = detail::Exponential<T>;
  x = x < E::lowest ? E::lowest : x;
  x = x > E::highest ? E::highest : x;
  return detail::exp_in_range<E, typename E::Bits>(x, multiply_add<T>);
}

}  // namespace opgen
