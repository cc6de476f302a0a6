// Rotary position embeddings on the CPU, into new tensors and in place.
//
// Su et al., RoFormer, 2021, equation 34: of every head's first 2 r elements the pairs
// (a, b) -> (a cos - b sin, b cos + a sin) are turned by the angle at the token's position.
#include "rotary.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "opgen/rows.h"

namespace generated::cpu {

/// As `style` stands in the descriptor: pairs are (x[i], x[r + i]) or (x[2 i], x[2 i + 1]).
enum class RotaryStyle : int64_t { half, interleaved };

/// Pairs that are turned at a time: their cosines and sines stay in the nearest cache.
constexpr int64_t rotary_pairs = 256;

/// The cosines and sines of some pairs, in the order of the elements that they turn. Pairs of
/// neighbours have each of them twice, the sine first with the other sign.
template <class Wide>
struct Turns {
  int64_t count = 0;  // pairs
  Wide cos[2 * rotary_pairs], sin[2 * rotary_pairs];
};

/// Those of `cos` and `sin`: count.
template <RotaryStyle style, class Wide, class C>
void take_turns(const C* cos, const C* sin, Wide sign, int64_t count, Turns<Wide>& turns) {
  turns.count = count;
  for (int64_t i = 0; i < count; ++i) {
    const Wide c = static_cast<Wide>(cos[i]), s = sign * static_cast<Wide>(sin[i]);
    if constexpr (style == RotaryStyle::half) {
      turns.cos[i] = c;
      turns.sin[i] = s;
    } else {
      turns.cos[2 * i] = turns.cos[2 * i + 1] = c;
      turns.sin[2 * i] = -s;
      turns.sin[2 * i + 1] = s;
    }
  }
}

/// Every pair of neighbours the other way round.
template <class Wide>
opgen::Vector<Wide> exchanged(opgen::Vector<Wide> x) {
  if constexpr (sizeof(Wide) == 4) {  // without a shuffle, which not every machine has for this
    using Pairs = opgen::Vector<uint64_t>;
    Pairs pairs;
    std::memcpy(&pairs, &x, sizeof x);
    pairs = pairs << 32 | pairs >> 32;
    std::memcpy(&x, &pairs, sizeof x);
    return x;
  } else {
    opgen::Vector<Wide> other;
    for (int64_t i = 0; i < opgen::lanes<Wide>; ++i) other[i] = x[i ^ 1];
    return other;
  }
}

/// The heads of the tokens of q or of k: `x` tokens heads d, and where they go, which may be `x`.
template <class T>
struct Heads {
  int64_t count;
  const T* x;
  T* y;
};

/// The pairs from `from` on that `turns` has, of the heads of one token: count d, of which 2*r are
/// turned.
template <RotaryStyle style, class T, class Wide>
void rotate_pairs(const Turns<Wide>& turns, int64_t from, const Heads<T>& heads, int64_t d,
                  int64_t r, const opgen::Streaming& streaming) {
  constexpr int64_t width = opgen::lanes<Wide>;
  const Wide* cos = turns.cos;
  const Wide* sin = turns.sin;
  for (int64_t h = 0; h < heads.count; ++h) {
    if constexpr (style == RotaryStyle::half) {
      const T* xa = heads.x + h * d + from;
      const T* xb = xa + r;
      T* ya = heads.y + h * d + from;
      T* yb = ya + r;
      const auto streamed = streaming.to(width, ya, yb);
      opgen::each_vector<Wide>(0, turns.count, streamed, [=](auto v) {
        v.prefetch_if_streaming(xa);
        v.prefetch_if_streaming(xb);
        const auto a = v.load(xa), b = v.load(xb), c = v.load(cos), s = v.load(sin);
        v.stream(ya, a * c - b * s);
        v.stream(yb, b * c + a * s);
      });
    } else {
      const T* x = heads.x + h * d + 2 * from;
      T* y = heads.y + h * d + 2 * from;
      auto streamed = streaming.to(width, y);
      streamed.on &= streamed.head % 2 == 0;  // a vector holds whole pairs
      opgen::each_vector<Wide>(0, 2 * turns.count, streamed, [=](auto v) {
        v.prefetch_if_streaming(x);
        const auto pairs = v.load(x);
        v.stream(y, pairs * v.load(cos) + exchanged<Wide>(pairs) * v.load(sin));
      });
    }
  }
}

/// What lies behind the turned pairs of each head.
template <class T>
void copy_rest(const Heads<T>& heads, int64_t d, int64_t r) {
  if (heads.x == heads.y || d == 2 * r) return;
  for (int64_t h = 0; h < heads.count; ++h) {
    const int64_t rest = h * d + 2 * r;
    std::memcpy(heads.y + rest, heads.x + rest, (d - 2 * r) * sizeof(T));
  }
}

/// The tensors of both ops; k has no heads where it is absent.
template <class T, class C>
struct RotaryWork {
  const opgen::Context& ctx;
  int64_t d, r;
  bool inverse;
  int64_t tokens, positions_count, table_rows;
  const opgen::Buffer& positions;  // tokens, or t of them for every sequence
  const C* cos_sin;                // table_rows 2*r: cosines, then sines
  Heads<T> q, k;
};

template <RotaryStyle style, class T, class C>
opgen::Status rotate_all(const RotaryWork<T, C>& work) noexcept {
  using Wide = opgen::accum_t<T>;
  const int64_t d = work.d, r = work.r;
  const int64_t columns = (work.q.count + work.k.count) * d;
  const int64_t written = work.q.x == work.q.y ? 0 : work.tokens * columns * sizeof(T);
  const auto position = [&positions = work.positions](int64_t place) -> int64_t {
    return positions.dtype == opgen::ElementType::I64
               ? static_cast<const int64_t*>(positions.data)[place]
               : static_cast<const int32_t*>(positions.data)[place];
  };
  const Wide sign = work.inverse ? -1 : 1;
  // Before the first write: what is turned in place is turned whole or not at all.
  for (int64_t place = 0; place < work.positions_count; ++place) {
    const int64_t at = position(place);
    if (at >= 0 && at < work.table_rows) continue;
    return work.ctx.bad_index("positions", work.positions, place, at, 0, work.table_rows);
  }
  const int64_t grain = opgen::rows_of_a_thread(columns);
  opgen::parallel(work.ctx, work.tokens, grain, [&](int64_t begin, int64_t end) {
    const opgen::Streaming streaming(written);
    for (int64_t token = begin; token < end; ++token) {
      const int64_t at = position(token % work.positions_count);
      const auto of_token = [=](const Heads<T>& all) {
        const int64_t first = token * all.count * d;
        return Heads<T>{all.count, all.x + first, all.y + first};
      };
      const Heads<T> q = of_token(work.q), k = of_token(work.k);
      const C* cos = work.cos_sin + at * 2 * r;
      const C* sin = cos + r;
      Turns<Wide> turns;
      for (int64_t from = 0; from < r; from += rotary_pairs) {
        const int64_t count = std::min(rotary_pairs, r - from);
        take_turns<style>(cos + from, sin + from, sign, count, turns);
        rotate_pairs<style>(turns, from, q, d, r, streaming);
        rotate_pairs<style>(turns, from, k, d, r, streaming);
      }
      copy_rest(q, d, r);
      copy_rest(k, d, r);
    }
  });
  return opgen::Status::ok;
}

/// Both ops: they differ in where results go.
template <class T, class C, class View>
opgen::Status rotary_of(const View& op, T* q_out, T* k_out) noexcept {
  const auto& desc = op.desc;
  const bool both = op.k.present();
  const RotaryWork<T, C> work{op.ctx,
                              desc.d,
                              desc.r,
                              desc.inverse != 0,
                              desc.lead * desc.t,
                              op.positions.numel(),
                              desc.p,
                              op.positions,
                              op.cos_sin.data,
                              {both ? desc.hk * desc.g : desc.h, op.q.data, q_out},
                              {both ? desc.hk : 0, op.k.data, k_out}};
  return static_cast<RotaryStyle>(desc.style) == RotaryStyle::half
             ? rotate_all<RotaryStyle::half>(work)
             : rotate_all<RotaryStyle::interleaved>(work);
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
