// Rotary position embeddings on the CPU, into new tensors and in place.
//
// Su et al., RoFormer, 2021, equation 34: of every head's first 2 r elements the pairs
// (a, b) -> (a cos - b sin, b cos + a sin) are turned by the angle at the token's position.
#include "rotary.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>

namespace generated::cpu {

/// As `style` stands in the descriptor: pairs are (x[i], x[r + i]) or (x[2 i], x[2 i + 1]).
enum class RotaryStyle : int64_t { half, interleaved };

/// What is the same for all heads: `style`, and the sizes `d` and `r`.
struct RotaryHead {
  RotaryStyle style;
  int64_t d, r;
};

/// Pairs that are turned at a time: their cosines and sines stay in the nearest cache.
constexpr int64_t rotary_pairs = 256;

/// The pairs [from, from + count) of one token's heads from `x` to `y`, which may be one tensor.
/// cos, sin: count.
template <RotaryStyle style, class T, class Wide>
void rotate_pairs(const RotaryHead& head, const Wide* cos, const Wide* sin, int64_t from,
                  int64_t count, const T* x, T* y, int64_t heads) {
  constexpr bool half = style == RotaryStyle::half;
  const int64_t first = half ? from : 2 * from;
  const int64_t second = half ? head.r + from : 2 * from + 1;
  constexpr int64_t step = half ? 1 : 2;
  for (int64_t h = 0; h < heads; ++h) {
    const T* xa = x + h * head.d + first;
    const T* xb = x + h * head.d + second;
    T* ya = y + h * head.d + first;
    T* yb = y + h * head.d + second;
#pragma omp simd
    for (int64_t i = 0; i < count; ++i) {
      const Wide a = static_cast<Wide>(xa[step * i]), b = static_cast<Wide>(xb[step * i]);
      ya[step * i] = a * cos[i] - b * sin[i];
      yb[step * i] = b * cos[i] + a * sin[i];
    }
  }
}

/// All heads of one token. cos_sin: 2 * r, cosines, then sines, which `sign` turns.
template <class T, class C>
void rotate(const RotaryHead& head, const C* cos_sin, opgen::accum_t<T> sign, const T* x, T* y,
            int64_t heads) {
  using Wide = opgen::accum_t<T>;
  Wide cos[rotary_pairs], sin[rotary_pairs];
  for (int64_t from = 0; from < head.r; from += rotary_pairs) {
    const int64_t count = std::min(rotary_pairs, head.r - from);
#pragma omp simd
    for (int64_t i = 0; i < count; ++i) {
      cos[i] = static_cast<Wide>(cos_sin[from + i]);
      sin[i] = sign * static_cast<Wide>(cos_sin[head.r + from + i]);
    }
    if (head.style == RotaryStyle::half) {
      rotate_pairs<RotaryStyle::half>(head, cos, sin, from, count, x, y, heads);
    } else {
      rotate_pairs<RotaryStyle::interleaved>(head, cos, sin, from, count, x, y, heads);
    }
  }
  if (x == y || head.d == 2 * head.r) return;
  for (int64_t h = 0; h < heads; ++h) {
    const int64_t rest = h * head.d + 2 * head.r;
    std::memcpy(y + rest, x + rest, (head.d - 2 * head.r) * sizeof(T));
  }
}

/// The tensors of both ops: q: tokens heads d, k: tokens, its own heads, d, or absent.
template <class T, class C>
struct RotaryWork {
  const opgen::Context& ctx;
  RotaryHead head;
  bool inverse;
  int64_t tokens, positions_count, table_rows;
  const opgen::Buffer& positions;  // tokens, or t of them for every sequence
  const C* cos_sin;                // table_rows 2*r
  const T* q;
  T* q_out;
  int64_t q_heads;
  const T* k;
  T* k_out;
  int64_t k_heads;
};

template <class T, class C>
opgen::Status rotate_all(const RotaryWork<T, C>& work) noexcept {
  using Wide = opgen::accum_t<T>;
  const auto [style, d, r] = work.head;
  const int64_t q_row = work.q_heads * d, k_row = work.k_heads * d;
  const bool wide_positions = work.positions.dtype == opgen::ElementType::I64;
  std::atomic<bool> legal{true};
  const int64_t grain = 1 + 16384 / (q_row + k_row + 1);
  opgen::parallel(work.ctx, work.tokens, grain, [&, r = r](int64_t begin, int64_t end) {
    for (int64_t token = begin; token < end; ++token) {
      const int64_t place = token % work.positions_count;
      const int64_t at = wide_positions ? static_cast<const int64_t*>(work.positions.data)[place]
                                        : static_cast<const int32_t*>(work.positions.data)[place];
      if (at < 0 || at >= work.table_rows) {
        legal.store(false, std::memory_order_relaxed);
        continue;
      }
      const C* cos_sin = work.cos_sin + at * 2 * r;
      const Wide sign = work.inverse ? -1 : 1;
      rotate(work.head, cos_sin, sign, work.q + token * q_row, work.q_out + token * q_row,
             work.q_heads);
      if (work.k_heads > 0) {
        rotate(work.head, cos_sin, sign, work.k + token * k_row, work.k_out + token * k_row,
               work.k_heads);
      }
    }
  });
  return legal.load(std::memory_order_relaxed) ? opgen::Status::ok : opgen::Status::out_of_range;
}

/// Both ops: they differ in where results go.
template <class T, class C, class View>
opgen::Status rotary_of(const View& op, T* q_out, T* k_out) noexcept {
  const auto& desc = op.desc;
  const bool both = op.k.present();
  return rotate_all(RotaryWork<T, C>{
      op.ctx, RotaryHead{static_cast<RotaryStyle>(desc.style), desc.d, desc.r}, desc.inverse != 0,
      desc.lead * desc.t, op.positions.numel(), desc.p, op.positions, op.cos_sin.data, op.q.data,
      q_out, both ? desc.hk * desc.g : desc.h, op.k.data, k_out, both ? desc.hk : 0});
}

template <class T, class C>
opgen::Status rotary(const RotaryView<T, C>& op) noexcept {
  return rotary_of<T, C>(op, op.q_out.data, op.k_out.data);
}

template <class T, class C>
opgen::Status rotary_(const Rotary_View<T, C>& op) noexcept {
  return rotary_of<T, C>(op, op.q.data, op.k.data);
}

}  // namespace generated::cpu
