// The gradient of attention over packed sequences, on CUDA.
//
// With p = exp(score - lse), dropout's factors z, and s = sum(dout out) for each row:
//   dv = (p z)^T dout, dp = dout v^T, dscore = p (dp z - s), dq = scale dscore k,
//   dk = scale dscore^T q.
// One kernel sums over keys and another over queries, each in a fixed order. So there are no
// atomics, but both kernels compute the scores. Dao, FlashAttention-2, 2023.
#include "varlen_attention.h"

#include <cmath>

#include "varlen_attention/cuda_chunks.h"

namespace generated::cuda {

namespace {

constexpr int64_t sum_warps = 4;  // warps of a block

/// Computes s. Each warp computes one row.
template <class T, class Acc>
__global__ void sum_products(int64_t tokens, int64_t heads, int64_t e,
                             const T* out,   // tokens heads e
                             const T* dout,  // tokens heads e
                             Acc* sums) {    // heads tokens
  const int lane = threadIdx.x % opgen::cuda::warp_size;
  const int64_t row = blockIdx.x * sum_warps + threadIdx.x / opgen::cuda::warp_size;
  if (row >= tokens * heads) return;
  Acc sum = 0;
  for (int64_t i = lane; i < e; i += opgen::cuda::warp_size) {
    sum += static_cast<Acc>(out[row * e + i]) * static_cast<Acc>(dout[row * e + i]);
  }
  sum = opgen::cuda::over_warp(sum, opgen::cuda::Sum());
  if (lane == 0) sums[row % heads * tokens + row / heads] = sum;
}

/// The shared memory of a block.
template <class T>
struct Memory {
  using Acc = opgen::accum_t<T>;

  Stages<T> stages;
  ScoreTile<T> tile;
  QueryRows<Acc> queries;
  int64_t keys[tile_side];
  Acc lse[tile_side], sums[tile_side];

  /// Fills in the rows of a chunk of queries, and their lse and s.
  __device__ void lay(const AttentionCall<Acc>& call, const Sequence& sequence, int64_t head,
                      int64_t first, int64_t last, const Acc* all_lse, const Acc* all_sums) {
    queries.lay(call, sequence, head, first, last);
    if (threadIdx.x >= tile_side) return;
    const bool there = queries.row[threadIdx.x] >= 0;
    const int64_t statistic = there ? queries.statistic[threadIdx.x] : 0;
    lse[threadIdx.x] = there ? all_lse[statistic] : static_cast<Acc>(INFINITY);
    sums[threadIdx.x] = there ? all_sums[statistic] : Acc(0);
  }
};

/// This thread's part of a tile of p. A bit for each element is set if dropout keeps the element.
template <class Acc>
struct Probabilities {
  Acc items[Scores::rows][Scores::columns];
  uint32_t seen = 0, kept = ~0u;

  template <class T>
  __device__ void read(const AttentionCall<Acc>& call, Memory<T>& memory, int64_t key) {
#pragma unroll
    for (int i = 0; i < Scores::rows; ++i) {
      Acc scores[Scores::columns];
      Scores::read(call, memory.queries, key, memory.tile.scores, i, scores);
      const Acc lse = memory.lse[Scores::row(i)];
#pragma unroll
      for (int n = 0; n < Scores::columns; ++n) {
        // A share is at most 1, even if `lse` was rounded down.
        const Acc under = scores[n] - lse;
        items[i][n] = std::exp(under > 0 ? Acc(0) : under);
        if (scores[n] != -static_cast<Acc>(INFINITY)) seen |= bit(i, n);
      }
      if (call.seed == nullptr) continue;
      Acc factors[Scores::columns];
      Scores::keep(call, memory.queries, key, i, factors);
#pragma unroll
      for (int n = 0; n < Scores::columns; ++n) {
        if (factors[n] == 0) kept &= ~bit(i, n);
      }
    }
  }

  /// Stores p z in shared memory.
  template <class T>
  __device__ void write(const AttentionCall<Acc>& call, Memory<T>& memory) const {
#pragma unroll
    for (int i = 0; i < Scores::rows; ++i) {
      Acc shares[Scores::columns];
#pragma unroll
      for (int n = 0; n < Scores::columns; ++n) {
        shares[n] = call.seed == nullptr ? items[i][n]
                                         : (kept & bit(i, n) ? items[i][n] * call.kept : Acc(0));
      }
      Scores::write(memory.tile.shares(), i, shares);
    }
  }

  /// Replaces dp in shared memory by scale dscore.
  template <class T>
  __device__ void write_gradients(const AttentionCall<Acc>& call, Memory<T>& memory) const {
#pragma unroll
    for (int i = 0; i < Scores::rows; ++i) {
      const Acc* const row = memory.tile.scores + Scores::row(i) * tile_step<Acc>;
      const Acc sum = memory.sums[Scores::row(i)];
      Acc gradients[Scores::columns];
#pragma unroll
      for (int n = 0; n < Scores::columns; ++n) {
        Acc dp = row[Scores::column(n / Scores::group) + n % Scores::group];
        if (call.seed != nullptr) dp = kept & bit(i, n) ? dp * call.kept : Acc(0);
        gradients[n] = seen & bit(i, n) ? items[i][n] * (dp - sum) * call.scale : Acc(0);
      }
      Scores::write(memory.tile.shares(), i, gradients);
    }
  }

  __device__ static uint32_t bit(int i, int n) { return 1u << (i * Scores::columns + n); }
};

/// dq for some queries of all heads that read one key head, and for `tiles` tiles of columns.
template <int tiles, class T, class Acc>
__global__ void
__launch_bounds__(tile_threads)
gradients_of_queries(AttentionCall<Acc> call, Rows<T> q, Rows<T> k, Rows<T> v, Rows<T> dout,
                     const Acc* lse,   // hk*g tq
                     const Acc* sums,  // hk*g tq
                     T* dq) {          // tq hk*g d
  __shared__ Memory<T> memory;

  const Share share(opgen::cuda::most_tiles(call.tq * call.g, call.b), call.hk);
  const auto rows = opgen::cuda::find_rows(call.b, call.cu_q, share.tile, call.g);
  if (rows.begin == rows.end) return;
  const Sequence sequence(call, rows.group);
  memory.lay(call, sequence, share.head, rows.begin, rows.end, lse, sums);
  const int64_t first_place = sequence.place(rows.begin / call.g);
  const int64_t last_place = sequence.place((rows.end - 1) / call.g);
  const int64_t begin = first_place > call.before ? first_place - call.before : 0;
  const int64_t past = last_place + call.after + 1;
  const int64_t end = past < sequence.keys ? past : sequence.keys;
  const int64_t column = share.slice * tiles * tile_side;

  TileSums<T> gradients[tiles];
  for (int64_t key = begin; key < end; key += tile_side) {
    const int count = static_cast<int>(end - key < tile_side ? end - key : tile_side);
    __syncthreads();  // the last keys have been multiplied
    lay_keys(call, sequence, share.head, key, count, memory.keys);
    __syncthreads();
    multiply_rows(q.as_rows(memory.queries.row), k.as_rows(memory.keys), memory.stages,
                  memory.tile.scores);
    Probabilities<Acc> p;
    p.read(call, memory, key);
    multiply_rows(dout.as_rows(memory.queries.row), v.as_rows(memory.keys), memory.stages,
                  memory.tile.scores);
    p.write_gradients(call, memory);
#pragma unroll
    for (int t = 0; t < tiles; ++t) {
      opgen::cuda::add_terms(Laid<T, true>{memory.tile.shares()}, k.as_terms(memory.keys),
                             column + t * tile_side, count, memory.stages.terms, gradients[t]);
    }
  }
  write_rows(gradients, memory.queries.row, column, q.size, memory.tile.scores, dq);
}

/// dk and dv for some keys of one head, and for `tiles` tiles of the columns of each.
template <int tiles, class T, class Acc>
__global__ void __launch_bounds__(tile_threads)
gradients_of_keys(AttentionCall<Acc> call, int64_t key_tiles, Rows<T> q, Rows<T> k, Rows<T> v,
                  Rows<T> dout,
                  const Acc* lse,   // hk*g tq
                  const Acc* sums,  // hk*g tq
                  T* dk,            // tk hk d
                  T* dv) {          // tk hk e
  __shared__ Memory<T> memory;

  const Share share(key_tiles, call.hk);
  const auto rows = opgen::cuda::find_rows(call.b, call.cu_k, share.tile);
  if (rows.begin == rows.end) return;
  const Sequence sequence(call, rows.group);
  const int64_t key = rows.begin - sequence.first_key, count = rows.end - rows.begin;
  lay_keys(call, sequence, share.head, key, count, memory.keys);
  // The queries that see any of these keys, relative to the first query of the sequence.
  const int64_t back = sequence.queries - sequence.keys;
  const int64_t low = key - call.after + back, past = key + count + call.before + back;
  const int64_t begin = low > 0 ? low : 0;
  const int64_t end = past < sequence.queries ? past : sequence.queries;
  const int64_t column = share.slice * tiles * tile_side;

  TileSums<T> key_gradients[tiles], value_gradients[tiles];
  const int64_t last = (sequence.first_query + end) * call.g;
  for (int64_t first = (sequence.first_query + begin) * call.g; first < last; first += tile_side) {
    __syncthreads();  // the last queries have been multiplied
    memory.lay(call, sequence, share.head, first, last, lse, sums);
    __syncthreads();
    const int terms = static_cast<int>(last - first < tile_side ? last - first : tile_side);
    const Laid<T, false> shares{memory.tile.shares()};
    multiply_rows(q.as_rows(memory.queries.row), k.as_rows(memory.keys), memory.stages,
                  memory.tile.scores);
    Probabilities<Acc> p;
    p.read(call, memory, key);
    p.write(call, memory);
#pragma unroll
    for (int t = 0; t < tiles; ++t) {
      opgen::cuda::add_terms(shares, dout.as_terms(memory.queries.row), column + t * tile_side,
                             terms, memory.stages.terms, value_gradients[t]);
    }
    multiply_rows(dout.as_rows(memory.queries.row), v.as_rows(memory.keys), memory.stages,
                  memory.tile.scores);
    p.write_gradients(call, memory);
#pragma unroll
    for (int t = 0; t < tiles; ++t) {
      opgen::cuda::add_terms(shares, q.as_terms(memory.queries.row), column + t * tile_side, terms,
                             memory.stages.terms, key_gradients[t]);
    }
  }
  write_rows(key_gradients, memory.keys, column, k.size, memory.tile.scores, dk);
  write_rows(value_gradients, memory.keys, column, v.size, memory.tile.scores, dv);
}

}  // namespace

/// The number of bytes for s of all queries.
int64_t varlen_attention_bwd_workspace(const VarlenAttentionBwdDescriptor& op,
                                       opgen::DeviceProperties) noexcept {
  const bool wide = op.T == static_cast<int64_t>(opgen::ElementType::F64);
  const int64_t size = wide ? sizeof(double) : sizeof(float);
  return op.tq * op.hk * op.g * size;
}

template <class T>
opgen::Status varlen_attention_bwd(const VarlenAttentionBwdView<T>& op) noexcept {
  using Acc = opgen::accum_t<T>;
  const auto call = call_of(op);
  const Rows<T> q(op.q.data, call.d), k(op.k.data, call.d), v(op.v.data, call.e);
  const Rows<T> dout(op.dout.data, call.e);
  Acc* const sums = static_cast<Acc*>(op.ctx.workspace);  // hk*g tq
  const int64_t rows = call.tq * call.hk * call.g;
  const auto summed = start_parts(op.ctx, (rows + sum_warps - 1) / sum_warps,
                                  sum_warps * opgen::cuda::warp_size, sum_products<T, Acc>, call.tq,
                                  call.hk * call.g, call.e, op.out.data, op.dout.data, sums);
  if (summed != opgen::Status::ok) return summed;
  const auto of_queries = by_slices<T>(call.d, [&](auto tiles, int64_t slices) {
    return start_parts(op.ctx, call.query_tiles() * call.hk * slices, tile_threads,
                       gradients_of_queries<decltype(tiles)::value, T, Acc>, call, q, k, v, dout,
                       op.lse.data, sums, op.dq.data);
  });
  if (of_queries != opgen::Status::ok) return of_queries;
  return by_slices<T>(std::max(call.d, call.e), [&](auto tiles, int64_t slices) {
    const int64_t key_tiles = opgen::cuda::most_tiles(op.desc.tk, call.b);
    return start_parts(op.ctx, key_tiles * call.hk * slices, tile_threads,
                       gradients_of_keys<decltype(tiles)::value, T, Acc>, call, key_tiles, q, k, v,
                       dout, op.lse.data, sums, op.dk.data, op.dv.data);
  });
}

}  // namespace generated::cuda
