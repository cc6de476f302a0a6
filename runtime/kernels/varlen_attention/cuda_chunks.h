// Chunks of queries and of keys, for attention and its gradient on CUDA.
//
// A chunk has the rows of a tile. Its rows are neighbouring queries, with all query heads that read
// one key head as neighbouring rows. Keys are columns.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <type_traits>

#include "opgen/cuda_groups.h"
#include "opgen/cuda_matmul.h"
#include "opgen/philox.h"

namespace generated::cuda {

using opgen::cuda::Laid;
using opgen::cuda::Pack;
using opgen::cuda::Staged;
using opgen::cuda::tile_side;
using opgen::cuda::tile_step;
using opgen::cuda::tile_threads;
using opgen::cuda::TileSums;

/// The largest number of tiles of columns for which a block keeps sums in registers.
template <class T>
constexpr int most_tiles_of_a_block = sizeof(T) == 8 ? 1 : 2;

/// The arguments of the kernels, except for the tensors that they multiply.
template <class Acc>
struct AttentionCall {
  int64_t b, tq, hk, g, d, e, max_k;
  int64_t before, after;  // how many positions before and after its own a query sees
  Acc scale;
  const int32_t* cu_q;         // b+1
  const int32_t* cu_k;         // b+1
  bool paged;                  // needed because an empty table may be null
  const int32_t* block_table;  // b mb
  int64_t mb, bs;
  const float* alibi;  // hk*g, or b hk*g, or null
  bool alibi_of_sequence;
  const int64_t* seed;    // scalar, or null without dropout
  const int64_t* offset;  // scalar, or null
  uint32_t least;         // the smallest random word that keeps a probability
  Acc kept;               // the factor of a kept probability

  int64_t query_tiles() const noexcept { return opgen::cuda::most_tiles(tq * g, b); }
};

/// Returns the `AttentionCall` of a view. `T` is the type of the view's tensors.
template <class View, class Acc = typename View::Acc>
AttentionCall<Acc> call_of(const View& op) noexcept {
  constexpr int64_t everything = int64_t{1} << 40;
  const auto& desc = op.desc;
  const auto seen = [](int64_t places) {
    return places < 0 || places > everything ? everything : places;
  };
  AttentionCall<Acc> call{};
  call.b = desc.b;
  call.tq = desc.tq;
  call.hk = desc.hk;
  call.g = desc.g;
  call.d = desc.d;
  call.e = desc.e;
  call.max_k = desc.max_k;
  call.before = seen(desc.window[0]);
  call.after = desc.causal ? 0 : seen(desc.window[1]);
  call.scale = static_cast<Acc>(desc.scale);
  call.cu_q = op.cu_q.data;
  call.cu_k = op.cu_k.data;
  call.alibi = op.alibi.data;
  call.alibi_of_sequence = op.alibi.rank == 2;
  if (desc.dropout > 0) {
    call.seed = op.seed.data;
    call.offset = op.offset.data;
    call.least = static_cast<uint32_t>(desc.dropout * 0x1p32);  // dropout is below 1
    call.kept = 1 / (1 - static_cast<Acc>(desc.dropout));
  }
  return call;
}

/// The part of the work that a block computes, and one slice of columns.
struct Share {
  int64_t tile, head, slice;

  __device__ Share(int64_t tiles, int64_t heads)
      : tile(blockIdx.x % tiles),
        head(blockIdx.x / tiles % heads),
        slice(blockIdx.x / tiles / heads) {}
};

/// A sequence of a call.
struct Sequence {
  int64_t index, first_query, queries, first_key, keys;
  int64_t there;  // keys in memory, limited by the block table

  template <class Acc>
  __device__ Sequence(const AttentionCall<Acc>& call, int64_t at)
      : index(at),
        first_query(call.cu_q[at]),
        queries(call.cu_q[at + 1] - first_query),
        first_key(call.cu_k[at]),
        keys(call.cu_k[at + 1] - first_key),
        there(keys) {
    if (call.paged && call.mb * call.bs < keys) there = call.mb * call.bs;
  }

  /// The position of a token among the keys.
  __device__ int64_t place(int64_t token) const { return token - first_query + keys - queries; }
};

/// Rows of a chunk of queries, in shared memory.
template <class Acc>
struct QueryRows {
  int64_t row[tile_side];               // index in tensors of tokens and heads; -1: no row
  int64_t statistic[tile_side];         // index in tensors of heads and tokens
  int place[tile_side];                 // position among the keys
  int low[tile_side], high[tile_side];  // the keys that the row sees
  Acc slope[tile_side];

  /// Fills in the rows [first, last) of one key head. A token has `g` rows. The block's threads
  /// share the work.
  __device__ void lay(const AttentionCall<Acc>& call, const Sequence& sequence, int64_t key_head,
                      int64_t first, int64_t last) {
    const int at = threadIdx.x;
    if (at >= tile_side) return;
    row[at] = -1;
    low[at] = high[at] = place[at] = 0;
    slope[at] = 0;
    if (first + at >= last) return;
    const int64_t token = (first + at) / call.g, heads = call.hk * call.g;
    const int64_t head = key_head * call.g + (first + at) % call.g;
    const int64_t its = sequence.place(token);
    row[at] = token * heads + head;
    statistic[at] = head * call.tq + token;
    place[at] = static_cast<int>(its);
    low[at] = static_cast<int>(its > call.before ? its - call.before : 0);
    const int64_t past = its + call.after + 1;
    high[at] = static_cast<int>(past < 0 ? 0 : past < sequence.there ? past : sequence.there);
    if (call.alibi == nullptr) return;
    slope[at] =
        static_cast<Acc>(call.alibi[(call.alibi_of_sequence ? sequence.index * heads : 0) + head]);
  }
};

/// Fills `rows` with the rows of `count` keys from `first` on. -1 stands for a missing row.
template <class Acc>
__device__ void lay_keys(const AttentionCall<Acc>& call, const Sequence& sequence, int64_t head,
                         int64_t first, int64_t count, int64_t (&rows)[tile_side]) {
  const int at = threadIdx.x;
  if (at >= tile_side) return;
  rows[at] = -1;
  if (at >= count) return;
  const int64_t key = first + at;
  int64_t row = sequence.first_key + key;
  if (call.paged) {
    const int64_t block = key / call.bs;
    row = call.block_table[sequence.index * call.mb + block] * call.bs + key - block * call.bs;
  }
  rows[at] = row * call.hk + head;
}

/// Rows of a tensor as a factor of a product. The terms are the numbers of a row, or the rows.
template <class T, bool inner_first_>
struct RowFactor {
  using Element = T;
  static constexpr bool inner_first = inner_first_;

  const T* data;
  const int64_t* rows;  // tile_side, in shared memory
  int64_t size;
  bool packed;

  __device__ Pack<T> operator()(int64_t at, int64_t term) const {
    const int64_t row = rows[inner_first ? at : term], place = inner_first ? term : at;
    Pack<T> found = {};
    if (row < 0 || place >= size) return found;
    const T* const from = data + row * size + place;
    if (packed) return opgen::cuda::load<Pack<T>::width>(from, 0);
#pragma unroll
    for (int i = 0; i < Pack<T>::width; ++i) {
      if (place + i < size) found.items[i] = from[i];
    }
    return found;
  }
};

/// A tensor as rows of `size` numbers.
template <class T>
struct Rows {
  const T* data;
  int64_t size;
  bool packed;

  Rows(const T* from, int64_t of) noexcept
      : data(from), size(of), packed(opgen::cuda::packs_fit(from, of)) {}

  /// Returns the rows with the given indices as a factor. Its terms are the numbers of a row.
  __device__ RowFactor<T, true> as_rows(const int64_t* rows) const {
    return {data, rows, size, packed};
  }
  /// Returns the same rows as a factor with the rows as terms.
  __device__ RowFactor<T, false> as_terms(const int64_t* rows) const {
    return {data, rows, size, packed};
  }
};

/// The division of a tile's scores among threads. Eight threads share a row, and each of them has
/// two runs of four columns.
struct Scores {
  static constexpr int rows = 4, columns = 8, group = 4, lanes = 8;

  __device__ static int row(int i) {
    return static_cast<int>(threadIdx.x) / lanes + i * (tile_threads / lanes);
  }
  __device__ static int column(int group_of) {
    return static_cast<int>(threadIdx.x) % lanes * group + group_of * (lanes * group);
  }
  __device__ static bool leads() { return threadIdx.x % lanes == 0; }

  /// Combines the values of the threads that share a row.
  template <class Acc, class Combine>
  __device__ static Acc over_row(Acc value, Combine combine) {
#pragma unroll
    for (int lane = lanes / 2; lane > 0; lane /= 2) {
      value = combine(value, __shfl_xor_sync(0xffffffffu, value, lane));
    }
    return value;
  }

  /// Reads this thread's part of row `i`. It scales the products and adds the bias. A score is
  /// -infinity if the query does not see the key. Keys are relative to `key`.
  template <class Acc>
  __device__ static void read(const AttentionCall<Acc>& call, const QueryRows<Acc>& queries,
                              int64_t key, const Acc* products, int i, Acc (&scores)[columns]) {
    const int at = row(i);
    const int low = queries.low[at] - static_cast<int>(key);
    const int high = queries.high[at] - static_cast<int>(key);
    const int place = queries.place[at] - static_cast<int>(key);
#pragma unroll
    for (int n = 0; n < columns; n += group) {
      const int first = column(n / group);
      const auto pack = opgen::cuda::load<group>(products + at * tile_step<Acc> + first, 0);
#pragma unroll
      for (int j = 0; j < group; ++j) {
        const int away = place - first - j;
        Acc score = pack.items[j] * call.scale;
        if (call.alibi != nullptr) {
          score -= queries.slope[at] * static_cast<Acc>(away < 0 ? -away : away);
        }
        const bool seen = first + j >= low && first + j < high;
        scores[n + j] = seen ? score : -static_cast<Acc>(INFINITY);
      }
    }
  }

  /// Stores this thread's part of row `i` in shared memory for the next product.
  template <class T, class Acc>
  __device__ static void write(T* shares, int i, const Acc (&values)[columns]) {
#pragma unroll
    for (int n = 0; n < columns; n += group) {
      Pack<T, group> pack;
#pragma unroll
      for (int j = 0; j < group; ++j) pack.items[j] = static_cast<T>(values[n + j]);
      opgen::cuda::store(shares + row(i) * Laid<T, true>::step + column(n / group), 0, pack);
    }
  }

  /// Returns dropout's factors for this thread's part of row `i`.
  template <class Acc>
  __device__ static void keep(const AttentionCall<Acc>& call, const QueryRows<Acc>& queries,
                              int64_t key, int i, Acc (&factors)[columns]) {
    const opgen::Philox philox(*call.seed, *call.offset);
#pragma unroll
    for (int n = 0; n < columns; n += group) {
      const int64_t place = queries.row[row(i)] < 0
                                ? 0
                                : queries.statistic[row(i)] * call.max_k + key + column(n / group);
      const int skipped = static_cast<int>(place & 3);
      uint32_t words[8];
      philox.fill(static_cast<uint64_t>(place - skipped), words);
#pragma unroll
      for (int j = 0; j < group; ++j) {
        uint32_t word = words[j];
#pragma unroll
        for (int more = 1; more < 4; ++more) word = skipped == more ? words[j + more] : word;
        factors[n + j] = word >= call.least ? call.kept : Acc(0);
      }
    }
  }
};

/// The shared memory of a block for scores, and for the shares that are computed from them. Shares
/// have the type that is multiplied.
template <class T>
struct alignas(32) ScoreTile {
  using Acc = opgen::accum_t<T>;
  static constexpr bool narrow = !std::is_same_v<T, Acc>;

  Acc scores[tile_side * tile_step<T>];
  alignas(32) T narrowed[narrow ? tile_side * Laid<T, true>::step : 1];

  /// The address of the shares. They overwrite the scores if both have the same type.
  __device__ T* shares() {
    if constexpr (narrow) {
      return narrowed;
    } else {
      return scores;
    }
  }
};

/// The shared memory of a block through which factors pass.
template <class T>
struct Stages {
  Staged<T, true> left;
  union {
    Staged<T, true> right;
    Staged<T, false> terms;
  };
};

/// Computes a tile of products of rows of two tensors, in shared memory for all threads.
template <class T>
__device__ void multiply_rows(const RowFactor<T, true>& left, const RowFactor<T, true>& right,
                              Stages<T>& stages, opgen::accum_t<T>* products) {
  TileSums<T> sums;
  opgen::cuda::add_terms(left, right, 0, 0, 0, left.size, stages.left, stages.right, sums);
  __syncthreads();  // old data has been read, even if there were no terms
  sums.store(products);
  __syncthreads();
}

/// Writes the tiles of a block's sums to rows of a tensor, from `column` on. `tile` is shared
/// memory.
template <int tiles, class T>
__device__ void write_rows(const TileSums<T> (&sums)[tiles], const int64_t* rows, int64_t column,
                           int64_t size, opgen::accum_t<T>* tile, T* to) {
#pragma unroll
  for (int t = 0; t < tiles; ++t) {
    __syncthreads();  // the last tile has been read
    sums[t].store(tile);
    __syncthreads();
    const int64_t first = column + t * tile_side;
    for (int at = threadIdx.x; at < tile_side * tile_side; at += tile_threads) {
      const int row = at / tile_side, place = at % tile_side;
      if (rows[row] < 0 || first + place >= size) continue;
      to[rows[row] * size + first + place] = static_cast<T>(tile[row * tile_step<T> + place]);
    }
  }
}

/// Calls `start` with a number of `tiles`, and the number of slices into which `columns` are
/// divided. A block has as many columns as its registers can hold.
template <class T, class Start>
opgen::Status by_slices(int64_t columns, const Start& start) noexcept {
  constexpr int most = most_tiles_of_a_block<T>;
  const auto with = [&](auto tiles) {
    const int64_t slices = (columns + tiles * tile_side - 1) / (tiles * tile_side);
    return start(tiles, std::max<int64_t>(1, slices));
  };
  if (columns <= tile_side) return with(std::integral_constant<int, 1>());
  return with(std::integral_constant<int, most>());
}

/// Starts a kernel with a block for each of `blocks` parts. Without parts, it does nothing.
template <class... Parameters, class... Arguments>
opgen::Status start_parts(const opgen::Context& ctx, int64_t blocks, int64_t threads,
                          void (*kernel)(Parameters...), const Arguments&... arguments) noexcept {
  if (blocks == 0) return opgen::Status::ok;
  if (blocks >= int64_t{1} << 31) return opgen::Status::unsupported;
  return opgen::cuda::launch(ctx, kernel, static_cast<unsigned>(blocks),
                             static_cast<unsigned>(threads), arguments...);
}

}  // namespace generated::cuda
