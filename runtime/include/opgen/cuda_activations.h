// Activations of a number, and their derivatives. They are accurate from the smallest numbers to
// the largest. At infinities and NaN they equal PyTorch's: -inf gives a NaN, and the derivatives
// are NaN at both infinities.
#pragma once

#include <cmath>
#include <cstddef>
#include <utility>

#include "opgen/normal.h"

namespace opgen::cuda {

/// sigmoid(x), as a product factor * rest * factor. If sigmoid(x) may be subnormal, `factor` is
/// e^(x/2). Then another number is multiplied before the second factor, to keep its digits.
template <class A>
struct Sigmoid {
  A factor, rest, root;

  __device__ explicit Sigmoid(A x) {
    root = std::exp(x < 0 ? x / 2 : -x / 2);
    factor = x < 0 ? root : A(1);
    rest = 1 / (1 + root * root);
  }
};

/// x sigmoid(x).
template <class A>
struct Silu {
  A a;
  Sigmoid<A> s;

  __device__ explicit Silu(A a) : a(a), s(a) {}

  /// a sigmoid(a).
  __device__ A value() const { return a * s.rest * s.factor * s.factor; }

  /// sigmoid(a) (1 + a (1 - sigmoid(a))).
  __device__ A slope() const {
    return (1 + a * (1 - s.factor * s.rest * s.factor)) * s.rest * s.factor * s.factor;
  }
};

/// x sigmoid(v), with v = 2 sqrt(2/pi) (x + 0.044715 x^3). This equals x (1 + tanh(v/2)) / 2, the
/// tanh approximation of gelu, but has no cancellation below 0.
template <class A>
struct GeluTanh {
  static constexpr A linear = 1.5957691216057308;
  static constexpr A cubic = 1.5957691216057308 * 0.044715;

  A a, near;  // beyond 32, sigmoid(v) is 0 or 1
  Sigmoid<A> s;

  __device__ explicit GeluTanh(A a)
      : a(a),
        near(a > 32    ? A(32)
             : a < -32 ? A(-32)
                       : a),
        s(near * (linear + cubic * near * near)) {}

  __device__ A value() const { return a * s.rest * s.factor * s.factor; }

  /// sigmoid(v) (1 + a (1 - sigmoid(v)) dv/da); `a - a` is 0, or a NaN at infinity.
  __device__ A slope() const {
    const A other = near < 0 ? s.rest : s.root * s.rest * s.root;
    const A steep = linear + 3 * cubic * near * near;
    return (1 + (near + (a - a)) * other * steep) * s.rest * s.factor * s.factor;
  }
};

/// gelu: x times the probability that a standard normal variable is less than x.
template <class A>
struct Gelu {
  using N = detail::Normal<A>;

  // With z = min(|a|, N::far): e^(-z^2/2) = factor * near_one * factor, because the product may be
  // subnormal, and ratio = Q(z) e^(z^2/2).
  A a, near, factor, near_one, ratio;

  __device__ explicit Gelu(A a) : a(a), near(a > N::far || a < -N::far ? N::far : std::abs(a)) {
    const A square = near * near;
    factor = near >= N::far ? A(0) : std::exp(square / -4);
    near_one = 1 - std::fma(near, near, -square) / 2;
    const A t = (near - N::middle) / (near + N::middle);
    ratio = sum_of(t, std::make_index_sequence<sizeof N::P / sizeof *N::P>()) /
            (1 + A(1.4142135623730951) * near);
  }

  /// a Q(-a), computed as a Q(|a|) for a < 0, and otherwise as a - a Q(a).
  __device__ A value() const {
    const A tail = ratio * near_one * factor;
    return a < 0 ? a * tail * factor : a - near * tail * factor;
  }

  /// Q(-a) + a e^(-a^2/2) / sqrt(2 pi); `a - a` is 0, or a NaN at infinity.
  __device__ A slope() const {
    const A density = A(0.3989422804014327) * (near + (a - a));
    const A tail = (ratio - density) * near_one * factor * factor;
    return a < 0 ? tail : 1 - tail;
  }

 private:
  template <size_t... k>
  __device__ static A sum_of(A t, std::index_sequence<k...>) {
    A sum = 0;
    ((sum = std::fma(sum, t, A(N::P[k]))), ...);
    return sum;
  }
};

}  // namespace opgen::cuda
