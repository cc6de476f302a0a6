// Functions for CPU kernels that process rows of numbers, one vector at a time.
//
// A vector fills a register of the processor. `sums` adds numbers in the same order on every
// processor, as if a register had 64 bytes. So results that are computed from these sums and from
// products have the same bits on every CPU. Exceptions are the bits of NaNs, and matrix products of
// bf16 (opgen/pairs.h). A sum for each lane would depend on the number of lanes.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "opgen/exp.h"
#include "opgen/stored.h"
#include "opgen/stream.h"

namespace opgen {

/// A computation for adjacent elements of a row, from element `at` on: a whole vector, or `count`
/// elements if `whole` is false. Lanes beyond `count` are loaded as 0 and not stored.
template <class Acc, bool whole>
struct Lanes {
  int64_t at;
  int64_t count = lanes<Acc>;
  bool streaming = false;  // whether whole vectors are stored past the caches

  /// Loads elements of `row`, converted to `Acc`.
  template <class T>
  Vector<Acc> load(const T* row) const noexcept {
    using Elements = Vector<detail::Stored<T>, lanes<Acc>>;
#if defined(__AVX512F__)
    // A cache line is read in two loads. On Zen 4 this is a tenth faster for data that is in no
    // cache, and as fast for data in a cache. It was not measured on other processors.
    if constexpr (whole && sizeof(Elements) == 64) {
      const auto* halves = reinterpret_cast<const __m256i_u*>(row + at);
      const __m512i low = _mm512_castsi256_si512(_mm256_loadu_si256(halves));
      return widened<T>(detail::cast_bits<Elements>(
          _mm512_maskz_inserti64x4(0xff, low, _mm256_loadu_si256(halves + 1), 1)));
    }
#endif
    Elements stored = {};
    const int64_t bytes = whole ? sizeof stored : count * sizeof(T);
    std::memcpy(&stored, row + at, static_cast<size_t>(bytes));
    return widened<T>(stored);
  }

  /// Stores `value` in `row`, rounded to the row's element type as in C++.
  template <class T>
  void store(T* row, Vector<Acc> value) const noexcept {
    const auto stored = narrowed<T>(value);
    const int64_t bytes = whole ? sizeof stored : count * sizeof(T);
    std::memcpy(row + at, &stored, static_cast<size_t>(bytes));
  }

  /// Stores `value`, and returns the rounded value that a load will return.
  template <class T>
  Vector<Acc> store_rounded(T* row, Vector<Acc> value) const noexcept {
    store(row, value);
    return widened<T>(narrowed<T>(value));
  }

  /// Stores `value` in a row for which `streaming` decided to bypass the caches.
  template <class T>
  void stream(T* row, Vector<Acc> value) const noexcept {
    if (!whole || !streaming) return store(row, value);
    const auto stored = narrowed<T>(value);
    opgen::stream<sizeof stored>(row + at, &stored);
  }

  /// The address of element `i` of `row`, which need not exist. It is computed as an integer,
  /// because a pointer must not leave its array.
  template <class T>
  static const void* address(const T* row, int64_t i) noexcept {
    return reinterpret_cast<const void*>(reinterpret_cast<uintptr_t>(row) + i * sizeof(T));
  }

  /// Prefetches elements of `row`, which need not exist. A pass over one row that prefetches a part
  /// of the next row, one of `shares` parts, keeps the memory busy meanwhile.
  template <class T>
  void prefetch(const T* row, int64_t shares = 1) const noexcept {
    if constexpr (whole) __builtin_prefetch(address(row, at / shares));
  }

  /// Prefetches the data one page ahead, because processors do not prefetch across pages.
  template <class T>
  void prefetch_ahead(const T* row) const noexcept {
    if constexpr (whole) __builtin_prefetch(address(row, at + 4096 / sizeof(T)));
  }

  /// Does the same, but only for results that bypass the caches. For other results, a prefetch only
  /// takes time: a fifth more for relu of 131072 elements on Zen 4.
  template <class T>
  void prefetch_if_streaming(const T* row) const noexcept {
    if (streaming) prefetch_ahead(row);
  }

  /// Returns `value`, with `rest` in the lanes beyond `count`.
  Vector<Acc> only(Vector<Acc> value, Acc rest = 0) const noexcept {
    if constexpr (!whole) {
      for (int64_t i = count; i < lanes<Acc>; ++i) value[i] = rest;
    }
    return value;
  }

 private:
  template <class T>
  static Vector<Acc> widened(Vector<detail::Stored<T>, lanes<Acc>> stored) noexcept {
    if constexpr (detail::is_bits<T>) {
      return __builtin_convertvector(detail::widen<lanes<Acc>>(T{}, stored), Vector<Acc>);
    } else if constexpr (sizeof(T) == 1 && std::is_same_v<Acc, float>) {
      return detail::widen_bytes<T, lanes<Acc>>(stored);
    } else {
      return __builtin_convertvector(stored, Vector<Acc>);
    }
  }

  template <class T>
  static auto narrowed(Vector<Acc> value) noexcept {
    if constexpr (detail::is_bits<T>) {
      using Floats = Vector<float, lanes<Acc>>;
      return detail::narrow<lanes<Acc>>(T{}, __builtin_convertvector(value, Floats));
    } else {
      return __builtin_convertvector(value, Vector<T, lanes<Acc>>);
    }
  }
};

/// Calls `body(Lanes)` for all of [begin, end), in ascending order. It copies `body`, so that the
/// compiler knows that stores do not change it, and keeps its members in registers.
template <class Acc, class Body>
__attribute__((flatten)) inline void each_vector(int64_t begin, int64_t end,
                                                 const Streamed& streamed, Body body) noexcept {
  constexpr int64_t width = lanes<Acc>;
  int64_t at = begin;
  if (streamed.on && streamed.head > 0) {
    const int64_t head = streamed.head < end - begin ? streamed.head : end - begin;
    body(Lanes<Acc, false>{at, head});
    at += head;
  }
#pragma GCC unroll 4
  for (; at + width <= end; at += width) body(Lanes<Acc, true>{at, width, streamed.on});
  if (at < end) body(Lanes<Acc, false>{at, end - at});
}

/// The sum of the lanes. One half is added to the other half, until one lane is left.
template <class Acc, int64_t count = lanes<Acc>>
inline Acc sum_of(Vector<Acc, count> value) noexcept {
  if constexpr (count == 2) {
    return value[0] + value[1];
  } else {
    Vector<Acc, count / 2> halves[2];
    std::memcpy(halves, &value, sizeof value);
    return sum_of<Acc, count / 2>(halves[0] + halves[1]);
  }
}

/// `a * b + c` of every lane, rounded once if the processor has a fast fused multiply-add.
template <class Acc>
inline Vector<Acc> multiply_add(Vector<Acc> a, Vector<Acc> b, Vector<Acc> c) noexcept {
  using detail::cast_bits;
#if defined(__AVX512F__)
  if constexpr (sizeof(Acc) == 4) {
    return cast_bits<Vector<Acc>>(
        _mm512_fmadd_ps(cast_bits<__m512>(a), cast_bits<__m512>(b), cast_bits<__m512>(c)));
  } else {
    return cast_bits<Vector<Acc>>(
        _mm512_fmadd_pd(cast_bits<__m512d>(a), cast_bits<__m512d>(b), cast_bits<__m512d>(c)));
  }
#elif defined(__AVX2__) && defined(__FMA__)
  if constexpr (sizeof(Acc) == 4) {
    return cast_bits<Vector<Acc>>(
        _mm256_fmadd_ps(cast_bits<__m256>(a), cast_bits<__m256>(b), cast_bits<__m256>(c)));
  } else {
    return cast_bits<Vector<Acc>>(
        _mm256_fmadd_pd(cast_bits<__m256d>(a), cast_bits<__m256d>(b), cast_bits<__m256d>(c)));
  }
#else
  return a * b + c;
#endif
}

/// The square root of every lane.
template <class Acc>
inline Vector<Acc> sqrt_of(Vector<Acc> value) noexcept {
  for (int64_t i = 0; i < lanes<Acc>; ++i) value[i] = std::sqrt(value[i]);
  return value;
}

/// The smaller of each lane and `highest`. A NaN stays a NaN.
template <class Acc>
inline Vector<Acc> at_most(Vector<Acc> value, Acc highest) noexcept {
  const Vector<Acc> most = Vector<Acc>{} + highest;
#if defined(__AVX512F__)
  // One instruction. GCC would compare and blend. For a NaN, it returns the second operand.
  using detail::cast_bits;
  if constexpr (sizeof(Acc) == 4) {
    return cast_bits<Vector<Acc>>(
        _mm512_maskz_min_ps(0xffff, cast_bits<__m512>(most), cast_bits<__m512>(value)));
  } else {
    return cast_bits<Vector<Acc>>(
        _mm512_maskz_min_pd(0xff, cast_bits<__m512d>(most), cast_bits<__m512d>(value)));
  }
#else
  return most < value ? most : value;
#endif
}

/// The larger of each lane and `lowest`. A NaN stays a NaN.
template <class Acc>
inline Vector<Acc> at_least(Vector<Acc> value, Acc lowest) noexcept {
  const Vector<Acc> least = Vector<Acc>{} + lowest;
#if defined(__AVX512F__)
  using detail::cast_bits;
  if constexpr (sizeof(Acc) == 4) {
    return cast_bits<Vector<Acc>>(
        _mm512_maskz_max_ps(0xffff, cast_bits<__m512>(least), cast_bits<__m512>(value)));
  } else {
    return cast_bits<Vector<Acc>>(
        _mm512_maskz_max_pd(0xff, cast_bits<__m512d>(least), cast_bits<__m512d>(value)));
  }
#else
  return least > value ? least : value;
#endif
}

/// Each lane, limited to the range from `lowest` to `highest`. A NaN stays a NaN.
template <class Acc>
inline Vector<Acc> clamp(Vector<Acc> value, Acc lowest, Acc highest) noexcept {
  return at_least<Acc>(at_most<Acc>(value, highest), lowest);
}

/// e^x 2^by of every lane, faster than `exp_of`. A NaN stays a NaN. With n the integer nearest to x
/// / ln2, n + by must be in [-bias, bias + 1]. At -bias the result is 0, and at bias + 1 infinity.
/// The bias is 127 for float and 1023 for double.
template <int by, class Acc>
inline Vector<Acc> scaled_exp(Vector<Acc> x) noexcept {
  using E = detail::Exponential<Acc>;
  using V = Vector<Acc>;
  const auto add = [](V a, V b, V c) { return multiply_add<Acc>(a, b, c); };
  return detail::scaled_exp<E, Vector<typename E::Bits>>(x, V{} + (E::round + by), add);
}

/// e^x of every lane, faster than `exp_of`. Each x must be at most 60. A NaN stays a NaN. If x is
/// below `least`, the result is 0. By default a subnormal result is 0, because Intel processors
/// compute up to 100 times as slowly with subnormals.
template <class Acc>
inline Vector<Acc> exp_of_small(Vector<Acc> x,
                                Acc least = detail::Exponential<Acc>::normal) noexcept {
  return x < least ? Vector<Acc>{} : scaled_exp<0, Acc>(x);
}

/// e^x of every lane, for products of matrices. It is 0 below e^-70, or e^-560 in double. So a
/// product with a number above 4e-8 is not subnormal.
template <class Acc>
inline Vector<Acc> exp_as_factor(Vector<Acc> x) noexcept {
  return exp_of_small<Acc>(x, detail::Exponential<Acc>::factor);
}

/// e^x of every lane, by the algorithm of opgen/exp.h.
template <class Acc>
inline Vector<Acc> exp_of(Vector<Acc> x) noexcept {
  using E = detail::Exponential<Acc>;
  using V = Vector<Acc>;
  const auto add = [](V a, V b, V c) { return multiply_add<Acc>(a, b, c); };
  return detail::exp_in_range<E, Vector<typename E::Bits>>(clamp<Acc>(x, E::lowest, E::highest),
                                                           add);
}

/// 64 bytes of numbers, in one vector, or in several if vectors are shorter.
template <class Acc>
struct SideBySide {
  static constexpr int64_t count = 64 / sizeof(Acc), pieces = count / lanes<Acc>;

  Vector<Acc> piece[pieces];

  /// The sum of the numbers. One half is added to the other half, until one number is left.
  Acc sum() const noexcept {
    Vector<Acc> sum[pieces];
    for (int64_t p = 0; p < pieces; ++p) sum[p] = piece[p];
    for (int64_t half = pieces / 2; half > 0; half /= 2) {
      for (int64_t p = 0; p < half; ++p) sum[p] += sum[p + half];
    }
    return sum_of<Acc>(sum[0]);
  }
};

/// The sums over [begin, end) of the vectors that `terms(Lanes)` returns, an array of `count`
/// vectors. Each result has one sum for each position within 64 bytes. Of every 256 bytes, each 64
/// are added to separate sums, so that additions need not wait for each other.
template <class Acc, size_t count, class Terms>
__attribute__((flatten)) inline std::array<SideBySide<Acc>, count> sums_of_part(
    int64_t begin, int64_t end, Terms terms) noexcept {
  constexpr int64_t width = lanes<Acc>, turn = SideBySide<Acc>::count;
  constexpr int64_t pieces = SideBySide<Acc>::pieces;
  Vector<Acc> part[4][pieces][count] = {};
  const auto add = [&](Vector<Acc>(&to)[count], auto v) {
    const auto term = terms(v);
    for (size_t i = 0; i < count; ++i) to[i] += v.only(term[i]);
  };
  int64_t at = begin;
  for (; at + 4 * turn <= end; at += 4 * turn) {
    for (int64_t t = 0; t < 4; ++t) {
      for (int64_t p = 0; p < pieces; ++p) {
        add(part[t][p], Lanes<Acc, true>{at + t * turn + p * width});
      }
    }
  }
  for (; at + turn <= end; at += turn) {
    for (int64_t p = 0; p < pieces; ++p) add(part[0][p], Lanes<Acc, true>{at + p * width});
  }
  for (int64_t p = 0; p < pieces && at < end; ++p, at += width) {
    if (at + width <= end) {
      add(part[1][p], Lanes<Acc, true>{at});
    } else {
      add(part[1][p], Lanes<Acc, false>{at, end - at});
    }
  }
  std::array<SideBySide<Acc>, count> found;
  for (size_t i = 0; i < count; ++i) {
    for (int64_t p = 0; p < pieces; ++p) {
      found[i].piece[p] = (part[0][p][i] + part[1][p][i]) + (part[2][p][i] + part[3][p][i]);
    }
  }
  return found;
}

/// The sums over [0, n) of the vectors that `terms(Lanes)` returns. Parts with at most 16 terms per
/// lane are summed in f32, and their sums are added in f64, because long sums in f32 lose digits.
template <class Acc, size_t count, class Terms>
inline std::array<Acc, count> sums(int64_t n, Terms terms) noexcept {
  constexpr int64_t turn = SideBySide<Acc>::count, part = 16 * 4 * turn;
  std::array<Acc, count> total;
  if (n <= part) {
    const auto found = sums_of_part<Acc, count>(0, n, terms);
    for (size_t i = 0; i < count; ++i) total[i] = found[i].sum();
    return total;
  }
  alignas(64) double wide[count][turn] = {};
  for (int64_t begin = 0; begin < n; begin += part) {
    const int64_t end = n - begin < part ? n : begin + part;
    const auto found = sums_of_part<Acc, count>(begin, end, terms);
    for (size_t i = 0; i < count; ++i) {
      alignas(64) Acc more[turn];
      std::memcpy(more, found[i].piece, sizeof more);
      for (int64_t k = 0; k < turn; ++k) wide[i][k] += static_cast<double>(more[k]);
    }
  }
  for (size_t i = 0; i < count; ++i) {
    for (int64_t half = turn / 2; half > 0; half /= 2) {
      for (int64_t k = 0; k < half; ++k) wide[i][k] += wide[i][k + half];
    }
    total[i] = static_cast<Acc>(wide[i][0]);
  }
  return total;
}

/// The sum over [0, n) of the vectors that `term(Lanes)` returns.
template <class Acc, class Term>
inline Acc sum(int64_t n, Term&& term) noexcept {
  return sums<Acc, 1>(n, [&](auto v) { return std::array<Vector<Acc>, 1>{term(v)}; })[0];
}

/// The largest of the numbers that `term(Lanes)` returns over [0, n), or NaN if one is NaN. No
/// number may be negative.
template <class Acc, class Term>
__attribute__((flatten)) inline Acc greatest(int64_t n, Term term) noexcept {
  Vector<Acc> most = {};
  each_vector<Acc>(0, n, Streamed{}, [&](auto v) {
    const auto value = v.only(term(v));
    most = value > most || value != value ? value : most;
  });
  Acc found = 0;
  for (int64_t i = 0; i < lanes<Acc>; ++i) {
    found = most[i] > found || most[i] != most[i] ? most[i] : found;
  }
  return found;
}

}  // namespace opgen
