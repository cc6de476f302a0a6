// Rotary position embeddings on the CPU. The angles come from a table by position, with results in
// new tensors or in place, or they are given for each token.
//
// Su et al., RoFormer, 2021, equation 34: the first 2 r elements of every head are pairs (a, b),
// which are rotated to (a cos - b sin, b cos + a sin) by the angle at the token's position.
#include "rotary.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "opgen/rows.h"

namespace generated::cpu {

/// The values of `style` in the descriptor: pairs are (x[i], x[r + i]) or (x[2 i], x[2 i + 1]).
enum class RotaryStyle : int64_t { half, interleaved };

/// The number of pairs that are rotated at a time. Their cosines and sines stay in the first-level
/// cache.
constexpr int64_t rotary_pairs = 256;

/// The cosines and sines of some pairs, in the order of the elements that they rotate. For pairs of
/// neighbours, each cosine and sine is stored twice, and the first sine is negated.
template <class Wide>
struct Turns {
  int64_t count = 0;  // pairs
  Wide cos[2 * rotary_pairs], sin[2 * rotary_pairs];
};

/// Reads `count` cosines and sines.
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

/// Swaps the two elements of every pair of neighbours.
template <class Wide>
opgen::Vector<Wide> exchanged(opgen::Vector<Wide> x) {
  if constexpr (sizeof(Wide) == 4) {  // without a shuffle, which some processors lack
    using Pairs = opgen::Vector<uint64_t>;
    Pairs pairs;
    std::memcpy(&pairs, &x, sizeof x);
    pairs = pairs << 32 | pairs >> 32;
    std::memcpy(&x, &pairs, sizeof x);
    return x;
  } else {
    opgen::Vector<Wide> other{};
    for (int64_t i = 0; i < opgen::lanes<Wide>; ++i) other[i] = x[i ^ 1];
    return other;
  }
}

/// The heads of all tokens of q or k: the input `x` (tokens heads d) and the output, which may be
/// `x`.
template <class T>
struct Heads {
  int64_t count;
  const T* x;
  T* y;
};

/// Rotates the pairs from `from` on for which `turns` has cosines and sines, in all heads of one
/// token. A head has d elements, and the first 2*r are rotated.
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
      streamed.on &= streamed.head % 2 == 0;  // a vector must hold whole pairs
      opgen::each_vector<Wide>(0, 2 * turns.count, streamed, [=](auto v) {
        v.prefetch_if_streaming(x);
        const auto pairs = v.load(x);
        v.stream(y, pairs * v.load(cos) + exchanged<Wide>(pairs) * v.load(sin));
      });
    }
  }
}

/// Copies the elements after the rotated pairs of each head.
template <class T>
void copy_rest(const Heads<T>& heads, int64_t d, int64_t r) {
  if (heads.x == heads.y || d == 2 * r) return;
  for (int64_t h = 0; h < heads.count; ++h) {
    const int64_t rest = h * d + 2 * r;
    std::memcpy(heads.y + rest, heads.x + rest, (d - 2 * r) * sizeof(T));
  }
}

/// The tensors of both ops. If k is absent, it has no heads.
template <class T, class C>
struct RotaryWork {
  const opgen::Context& ctx;
  int64_t d, r;
  bool inverse;
  int64_t tokens, positions_count, table_rows;
  const opgen::Buffer& positions;  // tokens, or t for every sequence
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
  // All positions are checked before the first write, so an error leaves the tensors unchanged.
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

/// Runs either op. The ops differ in the tensors to which they write.
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

/// The heads of all tokens of one element of *lead, with any strides.
template <class T>
struct Slots {
  T* data;
  int64_t count, head, token, element;  // the number of heads; strides

  Slots(const opgen::Tensor<T>& x, bool heads_first, int64_t lead) noexcept {
    const int32_t last = x.rank - 1, of_head = heads_first ? last - 2 : last - 1;
    data = x.data;
    count = x.size(of_head);
    head = x.stride(of_head);
    token = x.stride(heads_first ? last - 1 : last - 2);
    element = x.stride(last);
    for (int32_t dim = last - 3; dim >= 0; --dim) {
      data += lead % x.size(dim) * x.stride(dim);
      lead /= x.size(dim);
    }
  }

  T* at(int64_t h, int64_t t) const noexcept { return data + h * head + t * token; }
};

/// The cosine and the sine for each element of a head.
template <class C>
struct Angles {
  const C *cos, *sin;  // 2*r
  bool inverse;

  Angles of(int64_t token, int64_t r) const noexcept {
    return {cos + token * 2 * r, sin + token * 2 * r, inverse};
  }
};

/// Decides how results are stored, and whether inputs are prefetched. Heads are not contiguous, so
/// inputs are prefetched if they are in no near cache. Otherwise prefetches would take a fifth of
/// the time.
struct Memory {
  static constexpr int64_t near = 1 << 20;  // bytes
  const opgen::Streaming& streaming;
  bool far;

  template <class Lanes, class T>
  void prefetch(const Lanes& lanes, const T* x) const noexcept {
    if (far) lanes.prefetch_ahead(x);
  }
};

/// Rotates the first 2*r of the d contiguous elements of a head. With J(a, b) = (-b, a) for each
/// pair, the result is x cos + J(x) sin or, for `inverse`, its transpose x cos - J(x sin).
template <RotaryStyle style, class T, class C>
void turn_head(const Angles<C>& angles, const T* x, T* y, int64_t r,
               const Memory& memory) noexcept {
  using Wide = opgen::accum_t<T>;
  using Vector = opgen::Vector<Wide>;
  constexpr int64_t width = opgen::lanes<Wide>;
  const bool inverse = angles.inverse;
  const Wide sign = inverse ? -1 : 1;
  if constexpr (style == RotaryStyle::half) {
    const T* xb = x + r;
    T* yb = y + r;
    const C *cos = angles.cos, *cos_b = cos + r;
    const C* sin = angles.sin + (inverse ? r : 0);  // inverse: the sine belongs to b, its factor
    const C* sin_b = angles.sin + (inverse ? 0 : r);
    opgen::each_vector<Wide>(0, r, memory.streaming.to(width, y, yb), [=](auto v) {
      memory.prefetch(v, x);
      memory.prefetch(v, xb);
      const Vector a = v.load(x), b = v.load(xb);
      v.stream(y, a * v.load(cos) - b * (v.load(sin) * sign));
      v.stream(yb, b * v.load(cos_b) + a * (v.load(sin_b) * sign));
    });
  } else {
    const C *cos = angles.cos, *sin = angles.sin;
    Vector signs{};
    for (int64_t i = 0; i < width; ++i) signs[i] = i % 2 == 0 ? -sign : sign;
    auto streamed = memory.streaming.to(width, y);
    streamed.on &= streamed.head % 2 == 0;  // a vector must hold whole pairs
    opgen::each_vector<Wide>(0, 2 * r, streamed, [=](auto v) {
      memory.prefetch(v, x);
      const Vector pairs = v.load(x), s = v.load(sin);
      const Vector turned = inverse ? exchanged<Wide>(pairs * s) : exchanged<Wide>(pairs) * s;
      v.stream(y, pairs * v.load(cos) + turned * signs);
    });
  }
}

/// Does the same for a head with a distance of `x_step` between elements, and `y_step` in its
/// result.
template <RotaryStyle style, class T, class C>
void turn_scattered(const Angles<C>& angles, const T* x, int64_t x_step, T* y, int64_t y_step,
                    int64_t d, int64_t r) noexcept {
  using Wide = opgen::accum_t<T>;
  const Wide sign = angles.inverse ? -1 : 1;
  for (int64_t i = 0; i < r; ++i) {
    const int64_t at_a = style == RotaryStyle::half ? i : 2 * i;
    const int64_t at_b = style == RotaryStyle::half ? r + i : 2 * i + 1;
    const Wide a = static_cast<Wide>(x[at_a * x_step]), b = static_cast<Wide>(x[at_b * x_step]);
    const Wide of_a = sign * static_cast<Wide>(angles.sin[angles.inverse ? at_b : at_a]);
    const Wide of_b = sign * static_cast<Wide>(angles.sin[angles.inverse ? at_a : at_b]);
    y[at_a * y_step] = static_cast<T>(a * static_cast<Wide>(angles.cos[at_a]) - b * of_a);
    y[at_b * y_step] = static_cast<T>(b * static_cast<Wide>(angles.cos[at_b]) + a * of_b);
  }
  for (int64_t i = 2 * r; i < d; ++i) y[i * y_step] = x[i * x_step];
}

/// Rotates the heads of the tokens [begin, end), in their order in memory.
template <RotaryStyle style, class T, class C>
void turn_tokens(const Angles<C>& angles, const Slots<const T>& x, const Slots<T>& y, int64_t begin,
                 int64_t end, int64_t d, int64_t r, const Memory& memory) noexcept {
  const bool heads_outside = x.head > x.token;
  const int64_t tokens = end - begin, outer = heads_outside ? x.count : tokens;
  const int64_t inner = heads_outside ? tokens : x.count;
  for (int64_t o = 0; o < outer; ++o) {
    for (int64_t i = 0; i < inner; ++i) {
      const int64_t h = heads_outside ? o : i, t = begin + (heads_outside ? i : o);
      const T* from = x.at(h, t);
      T* to = y.at(h, t);
      if (x.element != 1 || y.element != 1) {
        turn_scattered<style>(angles.of(t, r), from, x.element, to, y.element, d, r);
        continue;
      }
      turn_head<style>(angles.of(t, r), from, to, r, memory);
      if (d > 2 * r) std::memcpy(to + 2 * r, from + 2 * r, (d - 2 * r) * sizeof(T));
    }
  }
}

template <RotaryStyle style, class T, class C>
opgen::Status apply_in_style(const ApplyRotaryView<T, C>& op) noexcept {
  constexpr int64_t together = 16;  // tokens of a block, the unit of work of a thread
  const int64_t d = op.desc.d, r = op.desc.r, tokens = op.desc.t;
  const bool heads_first = op.desc.heads_first != 0;
  const bool shared = op.cos.rank == 2;  // by all of *lead
  const int64_t blocks = (tokens + together - 1) / together;
  const int64_t numbers = op.q.numel() + op.k.numel();
  const int64_t bytes = numbers * static_cast<int64_t>(sizeof(T));
  const bool far = bytes > Memory::near;
  // The number of blocks at a time. Their angles stay in a cache while all heads use them. This is
  // the first-level cache, or the next one if it is faster to read longer runs of a head.
  const int64_t most = far ? 4 : 1;
  const int64_t columns = numbers / (op.desc.lead * tokens) * together;
  opgen::parallel(op.ctx, op.desc.lead * blocks, opgen::rows_of_a_thread(columns),
                  [=, &op](int64_t first, int64_t last) {
    const opgen::Streaming streaming(bytes);
    const Memory memory{streaming, far};
    for (int64_t block = first, next; block < last; block = next) {
      const int64_t lead = block / blocks, begin = block % blocks * together;
      next = std::min({last, (lead + 1) * blocks, block + most});
      const int64_t end = std::min(tokens, begin + (next - block) * together);
      const int64_t rows = shared ? 0 : lead * tokens * 2 * r;
      const Angles<C> angles{op.cos.data + rows, op.sin.data + rows, op.desc.inverse != 0};
      turn_tokens<style>(angles, Slots<const T>(op.q, heads_first, lead),
                         Slots<T>(op.q_out, heads_first, lead), begin, end, d, r, memory);
      turn_tokens<style>(angles, Slots<const T>(op.k, heads_first, lead),
                         Slots<T>(op.k_out, heads_first, lead), begin, end, d, r, memory);
    }
  });
  return opgen::Status::ok;
}

template <class T, class C>
opgen::Status apply_rotary(const ApplyRotaryView<T, C>& op) noexcept {
  return op.desc.interleaved != 0 ? apply_in_style<RotaryStyle::interleaved>(op)
                                  : apply_in_style<RotaryStyle::half>(op);
}

}  // namespace generated::cpu
