// Activations and their derivatives for each element of a vector. They are accurate from the
// smallest numbers to the largest. At infinities and NaN they equal PyTorch's: -inf gives a NaN,
// and the derivatives are NaN at both infinities.
#pragma once

#include <cstring>
#include <limits>
#include <type_traits>

#include "opgen/normal.h"
#include "opgen/vector.h"

namespace opgen {
namespace detail {

/// The factor 2^shift by which exponentials are scaled. So an exponential is not subnormal unless
/// its product is.
template <class Acc>
struct Scaled {
  static constexpr int shift = sizeof(Acc) == 4 ? 32 : 64;
  static constexpr Acc scale = sizeof(Acc) == 4 ? 0x1p-32 : 0x1p-64;  // 2^-shift
  // For x >= enough, sigmoid(x) rounds to 1.
  static constexpr Acc enough = 64;
  // e^most 2^-shift is infinite. So sigmoid(-most) gets 0, whose product with infinity is a NaN.
  static constexpr Acc most = (std::numeric_limits<Acc>::max_exponent + shift) * 0.693147180559945;
  // e^least 2^shift is 0, whose product with infinity is a NaN.
  static constexpr Acc least =
      (1 - std::numeric_limits<Acc>::max_exponent - shift) * 0.693147180559945;
};

}  // namespace detail

/// x sigmoid(x).
template <class Acc>
class Silu {
  using Vector = opgen::Vector<Acc>;
  using S = detail::Scaled<Acc>;

  Vector a, near, inverse;  // 1 / sigmoid(a) 2^-shift

 public:
  explicit Silu(Vector a) : a(a), near(at_most<Acc>(a, S::enough)) {
    inverse = S::scale + scaled_exp<-S::shift, Acc>(at_most<Acc>(-near, S::most));
  }

  /// a sigmoid(a). The part of `a` above `near` is added separately, because the product would
  /// overflow. The order of the subtraction gives a zero its sign.
  Vector value() const {
    return multiply_add<Acc>(near / inverse, Vector{} + S::scale, -(near - a));
  }

  /// sigmoid(a) (1 + a (1 - sigmoid(a))).
  Vector slope() const {
    const Vector sigmoid = 1 / inverse;
    return sigmoid * multiply_add<Acc>(a, 1 - sigmoid * S::scale, Vector{} + 1) * S::scale;
  }
};

/// x sigmoid(v), with v = 2 sqrt(2/pi) (x + 0.044715 x^3). This equals x (1 + tanh(v/2)) / 2, the
/// tanh approximation of gelu, but has no cancellation below 0.
template <class Acc>
class GeluTanh {
  using Vector = opgen::Vector<Acc>;
  using S = detail::Scaled<Acc>;
  static constexpr Acc linear = 1.5957691216057308;
  static constexpr Acc cubic = 1.5957691216057308 * 0.044715;
  static constexpr Acc enough = 32;  // beyond, sigmoid(v) is 0 or 1

  Vector a, near, v, power, sigmoid;  // e^-v 2^-shift, sigmoid(v) 2^shift

 public:
  explicit GeluTanh(Vector a) : a(a), near(clamp<Acc>(a, -enough, enough)) {
    v = near * (linear + cubic * near * near);
    power = scaled_exp<-S::shift, Acc>(clamp<Acc>(-v, -S::enough, S::most));
    sigmoid = 1 / (S::scale + power);
  }

  Vector value() const {
    const Vector below = at_most<Acc>(a, enough);
    return multiply_add<Acc>(below * sigmoid, Vector{} + S::scale, -(below - a));
  }

  /// sigmoid(v) (1 + a (1 - sigmoid(v)) dv/da); `a - a` is 0, or a NaN at infinity.
  Vector slope() const {
    const Vector rest = v < 0 ? 1 - sigmoid * S::scale : sigmoid * power;
    const Vector steep = linear + 3 * cubic * near * near;
    return sigmoid * (1 + (near + (a - a)) * rest * steep) * S::scale;
  }
};

/// gelu: x times the probability that a standard normal variable is less than x.
template <class Acc>
class Gelu {
  using Vector = opgen::Vector<Acc>;
  using S = detail::Scaled<Acc>;
  using N = detail::Normal<Acc>;

  static constexpr int low = sizeof(Acc) == 4 ? 12 : 27;  // low bits to drop, for exact squares

  // With z = min(|a|, N::far): power = e^(-z^2/2) 2^shift, and ratio = Q(z) e^(z^2/2).
  Vector a, near, power, ratio;

  /// `value` without its low bits.
  static Vector head_of(Vector value) {
    opgen::Vector<typename detail::Exponential<Acc>::Bits> bits;
    std::memcpy(&bits, &value, sizeof bits);
    bits = bits >> low << low;
    std::memcpy(&value, &bits, sizeof bits);
    return value;
  }

 public:
  /// Splits z^2/2 into an exact square and a rest below 1/16. Four terms of the series give the
  /// exponential of the rest.
  explicit Gelu(Vector a) : a(a), near(at_most<Acc>(a > 0 ? a : -a, N::far)) {
    const Vector head = head_of(near);
    const Vector rest = (head - near) * (head + near) * Acc(0.5);
    Vector more = multiply_add<Acc>(rest, Vector{} + Acc(1.0 / 24), Vector{} + Acc(1.0 / 6));
    more = multiply_add<Acc>(more, rest, Vector{} + Acc(0.5));
    more = multiply_add<Acc>(more, rest, Vector{} + Acc(1));
    more = multiply_add<Acc>(more, rest, Vector{} + Acc(1));
    power = more * scaled_exp<S::shift, Acc>(at_least<Acc>(head * head * Acc(-0.5), S::least));
    const Vector t = (near - N::middle) / (near + N::middle);
    Vector sum = Vector{} + N::P[0];
#pragma GCC unroll 32
    for (size_t k = 1; k < sizeof N::P / sizeof *N::P; ++k) {
      sum = multiply_add<Acc>(sum, t, Vector{} + N::P[k]);
    }
    ratio = sum / (1 + Acc(1.4142135623730951) * near);
  }

  /// a Q(-a), computed as a Q(|a|) for a < 0, and otherwise as a - a Q(a).
  Vector value() const {
    const Vector tail = power * ratio;
    return a < 0 ? a * tail * S::scale : multiply_add<Acc>(near * tail, Vector{} - S::scale, a);
  }

  /// Q(-a) + a e^(-a^2/2) / sqrt(2 pi); `a - a` is 0, or a NaN at infinity.
  Vector slope() const {
    const Vector density = Acc(0.3989422804014327) * (near + (a - a));
    const Vector tail = power * (ratio - density) * S::scale;
    return a < 0 ? tail : 1 - tail;
  }
};

/// Gelu for elements of 16 bits. It is computed in f32 with an error of at most 2^-17, in two
/// thirds of the time of `Gelu`: one division and polynomials of fewer terms are enough. Squares
/// are exact.
class ShortGelu {
  using Vector = opgen::Vector<float>;
  using S = detail::Scaled<float>;
  using N = detail::ShortNormal;

  // With z = min(|a|, N::far): power = e^(-z^2/2) 2^shift, and ratio = Q(z) e^(z^2/2).
  Vector a, near, power, ratio;

 public:
  explicit ShortGelu(Vector a) : a(a), near(at_most<float>(a > 0 ? a : -a, N::far)) {
    const Vector square = near * near;
    const Vector half = Vector{} - 0.5f * detail::Exponential<float>::log2_e;
    const Vector round = Vector{} + (detail::Exponential<float>::round + S::shift);
    const Vector shifted = multiply_add<float>(square, half, round);
    power = polynomial(N::power, multiply_add<float>(square, half, round - shifted));
    opgen::Vector<uint32_t> bits;
    std::memcpy(&bits, &shifted, sizeof bits);
    bits <<= detail::Exponential<float>::mantissa;
    Vector scale;
    std::memcpy(&scale, &bits, sizeof scale);
    power *= scale;
    const Vector part = 1 / (near + N::shift);
    ratio = part * polynomial(N::P, part);
  }

  /// a Q(-a), computed as a Q(|a|) for a < 0, and otherwise as a - a Q(a).
  Vector value() const {
    const Vector tail = power * ratio;
    return a < 0 ? a * tail * S::scale : multiply_add<float>(near * tail, Vector{} - S::scale, a);
  }

  /// Q(-a) + a e^(-a^2/2) / sqrt(2 pi); `a - a` is 0, or a NaN at infinity.
  Vector slope() const {
    const Vector density = 0.3989422804014327f * (near + (a - a));
    const Vector tail = power * (ratio - density) * S::scale;
    return a < 0 ? tail : 1 - tail;
  }

 private:
  template <size_t count>
  static Vector polynomial(const float (&terms)[count], Vector x) {
    Vector sum = Vector{} + terms[0];
#pragma GCC unroll 32
    for (size_t k = 1; k < count; ++k) sum = multiply_add<float>(sum, x, Vector{} + terms[k]);
    return sum;
  }
};

/// The implementation of gelu for elements of type `T`.
template <class T>
using GeluOf = std::conditional_t<sizeof(T) == 2, ShortGelu, Gelu<accum_t<T>>>;

}  // namespace opgen
