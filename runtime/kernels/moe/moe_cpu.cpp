// Sorts rows of tokens by their experts, and combines them again, on the CPU.
//
// One thread sorts the entries, by counting, and each row is computed by one thread. So the same
// input gives the same bits.
#include "moe.h"

#include <cstdint>
#include <cstring>

#include "opgen/inverted_index.h"
#include "opgen/rows.h"

namespace generated::cpu {
namespace {

/// Does the same as `add_rows`, for a number of rows that is known at compile time. So their
/// addresses and weights stay in registers.
template <int64_t known, class Acc, class T, class Row, class Factor>
void add_known_rows(int64_t columns, const Row& row, const Factor& factor, T* to,
                    const opgen::Streamed& streamed) noexcept {
  const T* rows[known];
  Acc factors[known];
  for (int64_t i = 0; i < known; ++i) rows[i] = row(i), factors[i] = factor(i);
  opgen::each_vector<Acc>(0, columns, streamed, [=](auto v) {
    opgen::Vector<Acc> sum = {};
    for (int64_t i = 0; i < known; ++i) sum += v.load(rows[i]) * factors[i];
    v.stream(to, sum);
  });
}

/// The sum of `count` rows times their weights: term i is `factor(i)` times `row(i)`.
template <class Acc, class T, class Row, class Factor>
void add_rows(int64_t columns, int64_t count, const Row& row, const Factor& factor, T* to,
              const opgen::Streaming& streaming) noexcept {
  const auto streamed = streaming.to(opgen::lanes<Acc>, to);
  switch (count) {
    case 1: return add_known_rows<1, Acc>(columns, row, factor, to, streamed);
    case 2: return add_known_rows<2, Acc>(columns, row, factor, to, streamed);
    case 4: return add_known_rows<4, Acc>(columns, row, factor, to, streamed);
    case 8: return add_known_rows<8, Acc>(columns, row, factor, to, streamed);
  }
  opgen::each_vector<Acc>(0, columns, streamed, [=](auto v) {
    opgen::Vector<Acc> sum = {};
    for (int64_t i = 0; i < count; ++i) sum += v.load(row(i)) * factor(i);
    v.stream(to, sum);
  });
}

/// The index of the first of `count` entries that is not a valid row, or `count` if all are valid.
inline int64_t first_bad(const int32_t* places, int64_t count) noexcept {
  int64_t at = 0;
  while (at < count && places[at] >= 0 && places[at] < count) ++at;
  return at;
}

}  // namespace

template <class T, class I>
opgen::Status moe_permute(const MoePermuteView<T, I>& op) noexcept {
  const int64_t entries = op.ids.numel(), experts = op.desc.e, k = op.desc.k;
  const int64_t size = op.desc.d * static_cast<int64_t>(sizeof(T));  // bytes of a row
  const I* ids = op.ids.data;                                        // entries
  int32_t* offsets = op.offsets.data;                                // experts+1
  int32_t* places = op.places.data;                                  // entries
  std::memset(offsets, 0, static_cast<size_t>(experts + 1) * sizeof *offsets);
  for (int64_t i = 0; i < entries; ++i) {
    if (ids[i] < 0 || ids[i] >= experts) {
      return op.ctx.bad_index("ids", op.ids, i, ids[i], 0, experts);
    }
    ++offsets[ids[i] + 1];
  }
  for (int64_t n = 0; n < experts; ++n) offsets[n + 1] += offsets[n];
  // Each offset moves from its expert's first row to the position after the last row, and then
  // back.
  for (int64_t i = 0; i < entries; ++i) places[i] = offsets[ids[i]]++;
  std::memmove(offsets + 1, offsets, static_cast<size_t>(experts) * sizeof *offsets);
  offsets[0] = 0;

  const auto* x = reinterpret_cast<const char*>(op.x.data);  // t size
  auto* rows = reinterpret_cast<char*>(op.rows.data);        // entries size
  opgen::parallel(op.ctx, entries, 1 + 65536 / (size + 1), [=](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      std::memcpy(rows + places[i] * size, x + i / k * size, static_cast<size_t>(size));
    }
  });
  return opgen::Status::ok;
}

template <class T, class W>
opgen::Status moe_unpermute(const MoeUnpermuteView<T, W>& op) noexcept {
  using Acc = opgen::accum_t<T>;
  const int64_t tokens = op.desc.t, k = op.desc.k, columns = op.desc.d;
  const T* rows = op.rows.data;            // t*k columns
  const int32_t* places = op.places.data;  // t k
  const W* weights = op.weights.data;      // t k, or null
  T* y = op.y.data;                        // t columns
  if (const int64_t at = first_bad(places, tokens * k); at < tokens * k) {
    return op.ctx.bad_index("places", op.places, at, places[at], 0, tokens * k);
  }
  const int64_t grain = opgen::rows_of_a_thread(columns * k);
  opgen::parallel(op.ctx, tokens, grain, [=](int64_t begin, int64_t end) {
    const opgen::Streaming streaming(tokens * columns * static_cast<int64_t>(sizeof(T)));
    for (int64_t token = begin; token < end; ++token) {
      const int64_t first = token * k;
      add_rows<Acc>(columns, k, [=](int64_t j) { return rows + places[first + j] * columns; },
                    [=](int64_t j) {
        return weights ? static_cast<Acc>(weights[first + j]) : Acc(1);
      }, y + token * columns, streaming);
    }
  });
  return opgen::Status::ok;
}

/// A row that several entries name gets the sum of their gradients. A row that no entry names gets
/// zeros.
template <class T, class W>
opgen::Status moe_unpermute_dgrad(const MoeUnpermuteDgradView<T, W>& op) noexcept {
  using Acc = opgen::accum_t<T>;
  const int64_t entries = op.places.numel(), k = op.desc.k, columns = op.desc.d;
  const T* dy = op.dy.data;                // t columns
  const int32_t* places = op.places.data;  // t k
  const W* weights = op.weights.data;      // t k, or null
  T* drows = op.drows.data;                // t*k columns
  opgen::InvertedIndex index(entries, op.ends.data, op.order.data, [=](int64_t entry) {
    return places[entry] < 0 ? entries : int64_t{places[entry]};
  });
  if (const int64_t at = index.sort(entries); at < entries) {
    return op.ctx.bad_index("places", op.places, at, places[at], 0, entries);
  }
  const int64_t grain = opgen::rows_of_a_thread(columns);
  opgen::parallel(op.ctx, entries, grain, [=](int64_t begin, int64_t end) {
    const opgen::Streaming streaming(entries * columns * static_cast<int64_t>(sizeof(T)));
    for (int64_t row = begin; row < end; ++row) {
      const int64_t first = index.before(row), count = index.before(row + 1) - first;
      add_rows<Acc>(columns, count, [=](int64_t i) { return dy + index[first + i] / k * columns; },
                    [=](int64_t i) {
        return weights ? static_cast<Acc>(weights[index[first + i]]) : Acc(1);
      }, drows + row * columns, streaming);
    }
  });
  return opgen::Status::ok;
}

template <class T>
opgen::Status moe_unpermute_wgrad(const MoeUnpermuteWgradView<T>& op) noexcept {
  using Acc = opgen::accum_t<T>;
  const int64_t entries = op.places.numel(), k = op.desc.k, columns = op.desc.d;
  const T* dy = op.dy.data;                // t columns
  const T* rows = op.rows.data;            // t*k columns
  const int32_t* places = op.places.data;  // t k
  Acc* dweights = op.dweights.data;        // t k
  if (const int64_t at = first_bad(places, entries); at < entries) {
    return op.ctx.bad_index("places", op.places, at, places[at], 0, entries);
  }
  opgen::parallel(op.ctx, entries, opgen::rows_of_a_thread(columns),
                  [=](int64_t begin, int64_t end) {
    for (int64_t entry = begin; entry < end; ++entry) {
      const T* of_token = dy + entry / k * columns;
      const T* row = rows + places[entry] * columns;
      dweights[entry] =
          opgen::sum<Acc>(columns, [=](auto v) { return v.load(of_token) * v.load(row); });
    }
  });
  return opgen::Status::ok;
}

}  // namespace generated::cpu
