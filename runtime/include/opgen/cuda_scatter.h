// Adds rows to the rows of a table that indices select, without atomics, for any op.
//
// Every block owns a range of the table's rows. It searches all indices for these rows, and adds
// the entries in the order of the indices. So the same input gives the same bits. The indices come
// from the cache, because they have few bytes compared with the rows. If a block has more than
// `listed` entries, it sums them in several lists. After each list, the sums are rounded to the
// table's type.
#pragma once

#include <algorithm>
#include <cstdint>

#include "opgen/cuda_rows.h"
#include "opgen/dtype.h"

namespace opgen::cuda {

/// The term that an entry adds to its row: `factor * values[column]`.
template <class T>
struct Term {
  const T* values;
  accum_t<T> factor;
};

constexpr int scatter_threads = 256;
constexpr int looked_at = 4;  // indices that a thread reads at a time
constexpr int listed = 1024;  // entries summed at a time; a list has space for twice as many

/// The entries of a block's rows, in the order of the indices.
struct EntryList {
  int64_t entry[2 * listed];
  int row[2 * listed];                                 // relative to the block's first row
  int next[2 * listed];                                // the next entry of the same row, or -1
  bool first[2 * listed];                              // whether no earlier entry has this row
  int before[looked_at][scatter_threads / warp_size];  // the number of entries that each warp finds
};

/// Appends entries to the list and returns its new length. It searches at most `looked_at *
/// scatter_threads` entries from `begin` on. It appends an entry if its index, minus `shift`, is in
/// [first_row, last_row) and the index is not `left_out`.
__device__ inline int find_entries(EntryList& list, int length, Integers indices, int64_t begin,
                                   int64_t n, int64_t first_row, int64_t last_row, int64_t left_out,
                                   int64_t shift) {
  const int lane = threadIdx.x % warp_size, warp = threadIdx.x / warp_size;
  int64_t row[looked_at];
  unsigned of_warp[looked_at];
#pragma unroll
  for (int k = 0; k < looked_at; ++k) {
    const int64_t at = begin + k * scatter_threads + threadIdx.x;
    row[k] = at < n ? indices[at] - shift : left_out;
    const bool mine = at < n && first_row <= row[k] && row[k] < last_row && row[k] != left_out;
    of_warp[k] = __ballot_sync(0xffffffffu, mine);
    if (lane == 0) list.before[k][warp] = __popc(of_warp[k]);
  }
  __syncthreads();
  int found = length;
#pragma unroll
  for (int k = 0; k < looked_at; ++k) {
    for (int other = 0; other < scatter_threads / warp_size; ++other) {
      if (other == warp && (of_warp[k] >> lane & 1) != 0) {
        const int place = found + __popc(of_warp[k] & ((1u << lane) - 1));
        list.entry[place] = begin + k * scatter_threads + threadIdx.x;
        list.row[place] = static_cast<int>(row[k] - first_row);
      }
      found += list.before[k][other];
    }
  }
  __syncthreads();
  return found;
}

/// Links the entries of each row. Every thread of the block must call this function.
__device__ inline void link_entries(EntryList& list, int length) {
  for (int e = threadIdx.x; e < length; e += scatter_threads) list.first[e] = true;
  __syncthreads();
  for (int e = threadIdx.x; e < length; e += scatter_threads) {
    int next = e + 1;
    while (next < length && list.row[next] != list.row[e]) ++next;
    list.next[e] = next < length ? next : -1;
    if (next < length) list.first[next] = false;
  }
  __syncthreads();
}

template <int width, class T, class Out, class Entry>
__global__ void
__launch_bounds__(scatter_threads)
scatter_kernel(int64_t n, int64_t rows, int64_t rows_of_block, int64_t d, int64_t left_out,
               int team,              // threads that share a row
               const int64_t* first,  // scalar, or null
               Integers indices,      // n
               Entry entry,       // n -> Term<T>
               Out* table) {      // rows d
  using Acc = accum_t<T>;
  __shared__ EntryList list;

  const int64_t shift = first == nullptr ? 0 : *first;
  const int64_t first_row = blockIdx.x * rows_of_block;
  const int64_t last_row = first_row + rows_of_block < rows ? first_row + rows_of_block : rows;
  Out* const own = table + first_row * d;
  const int64_t packs = d / width;
#pragma unroll 1
  for (int64_t at = threadIdx.x; at < (last_row - first_row) * packs; at += scatter_threads) {
    store(own, at, Pack<Out, width>{});
  }
  __syncthreads();
  int length = 0;
  for (int64_t begin = 0; begin < n; begin += looked_at * scatter_threads) {
    length = find_entries(list, length, indices, begin, n, first_row, last_row,
                          left_out - shift, shift);
    const bool last = begin + looked_at * scatter_threads >= n;
    if (length == 0 || (length <= listed && !last)) continue;
    link_entries(list, length);
    for (int e = threadIdx.x / team; e < length; e += scatter_threads / team) {
      if (!list.first[e]) continue;
      Out* const to = own + list.row[e] * d;
#pragma unroll 1
      for (int64_t at = threadIdx.x % team; at < packs; at += team) {
        const Pack<Out, width> former = load<width>(to, at);
        Acc total[width];
#pragma unroll
        for (int i = 0; i < width; ++i) total[i] = static_cast<Acc>(former.items[i]);
#pragma unroll 1
        for (int f = e; f >= 0; f = list.next[f]) {
          const Term<T> term = entry(list.entry[f]);
          const Pack<T, width> values = load<width>(term.values, at);
#pragma unroll
          for (int i = 0; i < width; ++i) {
            total[i] += term.factor * static_cast<Acc>(values.items[i]);
          }
        }
        Pack<Out, width> sums;
#pragma unroll
        for (int i = 0; i < width; ++i) sums.items[i] = total[i];
        store(to, at, sums);
      }
    }
    __syncthreads();
    length = 0;
  }
}

/// Sets table[row] to the sum of the terms of all entries n with index `row`, or to 0 without such
/// an entry. Entries with index `left_out` are ignored. The values of the terms are rows of
/// `values`. If `first` is not null, the table is a part of a larger table and starts at row
/// `*first`.
template <class T, class Out, class Entry>
Status scatter_rows(const Context& ctx, int64_t n, int64_t rows, int64_t d, Integers indices,
                    Entry entry, const T* values, Out* table, int64_t left_out = -1,
                    const int64_t* first = nullptr) noexcept {
  constexpr int64_t most_blocks = 512;
  const int64_t rows_of_block = (rows + most_blocks - 1) / most_blocks;
  const unsigned blocks = blocks_for(rows, rows_of_block);
  constexpr int wide = pack_width<T, Out>();
  const bool packed = d % wide == 0 && aligned(values, table);
  const int64_t packs = packed ? d / wide : d;
  int team = 1;
  while (team < packs && team < scatter_threads) team *= 2;
  return launch(ctx, packed ? scatter_kernel<wide, T, Out, Entry>
                            : scatter_kernel<1, T, Out, Entry>,
                blocks, scatter_threads, n, rows, rows_of_block, d, left_out, team, first, indices,
                entry, table);
}

}  // namespace opgen::cuda
