// Attention over packed sequences on CUDA.
//
// The kernel never has all scores in memory. It goes through tiles of keys, and keeps a maximum and
// a sum for each row. Dao, FlashAttention-2, 2023; Milakov and Gimelshein, Online Normalizer
// Calculation for Softmax, 2018.
#include "varlen_attention.h"

#include <cmath>
#include <limits>

#include "varlen_attention/cuda_chunks.h"

namespace generated::cuda {

namespace {

/// The maximum of no scores. It is finite, so that its difference from itself is 0.
template <class Acc>
constexpr Acc lowest = std::numeric_limits<Acc>::lowest();

/// A block computes some queries of all heads that read one key head, for `tiles` tiles of the
/// values' columns.
template <int tiles, class T, class Acc>
__global__ void
__launch_bounds__(tile_threads)
attend(AttentionCall<Acc> call,
       Rows<T> q,    // tq hk*g d
       Rows<T> k,    // tk hk d, or nb bs hk d
       Rows<T> v,    // tk hk e, or nb bs hk e
       T* out,       // tq hk*g e
       Acc* lse) {   // hk*g tq, or null
  __shared__ Stages<T> stages;
  __shared__ ScoreTile<T> tile;
  __shared__ QueryRows<Acc> queries;
  __shared__ int64_t keys[tile_side];
  alignas(32) __shared__ Acc factors[tile_side * TileSums<T>::factor_copies];

  const int64_t query_tiles = opgen::cuda::most_tiles(call.tq * call.g, call.b);
  const Share share(query_tiles, call.hk);
  const auto rows = opgen::cuda::find_rows(call.b, call.cu_q, share.tile, call.g);
  if (rows.begin == rows.end) return;
  const Sequence sequence(call, rows.group);
  queries.lay(call, sequence, share.head, rows.begin, rows.end);
  const int64_t first_place = sequence.place(rows.begin / call.g);
  const int64_t last_place = sequence.place((rows.end - 1) / call.g);
  const int64_t begin = first_place > call.before ? first_place - call.before : 0;
  const int64_t past = last_place + call.after + 1;
  const int64_t end = past < sequence.there ? past : sequence.there;
  const int64_t column = share.slice * tiles * tile_side;

  const auto scale_rows = [&](TileSums<T>(&sums)[tiles], const Acc(&by)[Scores::rows]) {
    if (Scores::leads()) {
#pragma unroll
      for (int i = 0; i < Scores::rows; ++i) {
        for (int copy = 0; copy < TileSums<T>::factor_copies; ++copy) {
          factors[Scores::row(i) * TileSums<T>::factor_copies + copy] = by[i];
        }
      }
    }
    __syncthreads();
#pragma unroll
    for (int t = 0; t < tiles; ++t) sums[t].scale_rows(factors);
  };

  TileSums<T> sums[tiles];
  Acc most[Scores::rows], total[Scores::rows] = {}, by[Scores::rows];
#pragma unroll
  for (int i = 0; i < Scores::rows; ++i) most[i] = lowest<Acc>;
  for (int64_t key = begin; key < end; key += tile_side) {
    const int count = static_cast<int>(end - key < tile_side ? end - key : tile_side);
    __syncthreads();  // the last keys have been multiplied
    lay_keys(call, sequence, share.head, key, count, keys);
    __syncthreads();
    multiply_rows(q.as_rows(queries.row), k.as_rows(keys), stages, tile.scores);
#pragma unroll
    for (int i = 0; i < Scores::rows; ++i) {
      Acc scores[Scores::columns];
      Scores::read(call, queries, key, tile.scores, i, scores);
      Acc peak = most[i];
#pragma unroll
      for (const Acc score : scores) peak = score > peak ? score : peak;
      peak = Scores::over_row(peak, opgen::cuda::Largest());
      by[i] = std::exp(most[i] - peak);
      most[i] = peak;
      Acc added = 0;
#pragma unroll
      for (Acc& score : scores) {
        score = std::exp(score - peak);
        added += score;
      }
      total[i] = total[i] * by[i] + Scores::over_row(added, opgen::cuda::Sum());
      if (call.seed != nullptr) {
        Acc kept[Scores::columns];
        Scores::keep(call, queries, key, i, kept);
#pragma unroll
        for (int n = 0; n < Scores::columns; ++n) scores[n] *= kept[n];
      }
      Scores::write(tile.shares(), i, scores);
    }
    scale_rows(sums, by);
#pragma unroll
    for (int t = 0; t < tiles; ++t) {
      opgen::cuda::add_terms(Laid<T, true>{tile.shares()}, v.as_terms(keys), column + t * tile_side,
                             count, stages.terms, sums[t]);
    }
  }
#pragma unroll
  for (int i = 0; i < Scores::rows; ++i) by[i] = total[i] == 0 ? Acc(0) : 1 / total[i];
  scale_rows(sums, by);
  write_rows(sums, queries.row, column, v.size, tile.scores, out);
  if (lse == nullptr || share.slice != 0 || !Scores::leads()) return;
#pragma unroll
  for (int i = 0; i < Scores::rows; ++i) {  // infinite if no key is seen, for shares of 0
    const int row = Scores::row(i);
    const Acc whole =
        total[i] == 0 ? static_cast<Acc>(INFINITY) : std::log(total[i]);
    if (queries.row[row] >= 0) lse[queries.statistic[row]] = most[i] + whole;
  }
}

}  // namespace

template <class T>
opgen::Status varlen_attention_fwd(const VarlenAttentionView<T>& op) noexcept {
  auto call = call_of(op);
  if (op.block_table.present()) {
    call.paged = true;
    call.block_table = op.block_table.data;
    call.mb = op.block_table.size(1);
    call.bs = op.desc.bs;
  }
  return by_slices<T>(call.e, [&](auto tiles, int64_t slices) {
    return start_parts(op.ctx, call.query_tiles() * call.hk * slices, tile_threads,
                       attend<decltype(tiles)::value, T, opgen::accum_t<T>>, call,
                       Rows<T>(op.q.data, call.d), Rows<T>(op.k.data, call.d),
                       Rows<T>(op.v.data, call.e), op.out.data, op.lse.data);
  });
}

}  // namespace generated::cuda
