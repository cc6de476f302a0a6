// Tiles of consecutive groups of rows, for any op.
#pragma once

#include <cstdint>

#include "opgen/cuda_matmul.h"
#include "opgen/cuda_rows.h"

namespace opgen::cuda {

/// The number of tiles along a side of this size.
__host__ __device__ constexpr int64_t tiles_along(int64_t size) {
  return (size + tile_side - 1) / tile_side;
}

/// Some rows of one group. There are none if `begin == end`.
struct GroupRows {
  int64_t group, begin, end;
};

/// The largest possible number of tiles of groups. The groups' sizes are known only on the device.
__host__ __device__ constexpr int64_t most_tiles(int64_t rows, int64_t groups) {
  return rows / tile_side + groups;
}

/// Returns the rows of tile number `tile`. Each unit of `offsets` stands for `each` rows. Whole
/// warps must call this function.
__device__ inline GroupRows find_rows(int64_t groups,
                                      const int32_t* offsets,  // groups+1
                                      int64_t tile, int64_t each = 1) {
  const int lane = threadIdx.x % warp_size;
  for (int64_t first = 0; first < groups; first += warp_size) {
    const int64_t group = first + lane;
    const int64_t begin = group < groups ? offsets[group] * each : 0;
    const int64_t end = group < groups ? offsets[group + 1] * each : 0;
    int64_t before = tiles_along(end - begin);  // of this group and those before
#pragma unroll
    for (int lanes = 1; lanes < warp_size; lanes *= 2) {
      const int64_t more = __shfl_up_sync(0xffffffffu, before, lanes);
      if (lane >= lanes) before += more;
    }
    const unsigned after = __ballot_sync(0xffffffffu, tile < before);
    if (after == 0) {
      tile -= __shfl_sync(0xffffffffu, before, warp_size - 1);
      continue;
    }
    const int found = __ffs(after) - 1;
    const int64_t last = __shfl_sync(0xffffffffu, end, found);
    const int64_t row = __shfl_sync(
        0xffffffffu, begin + (tile - before + tiles_along(end - begin)) * tile_side, found);
    return {first + found, row, row + tile_side < last ? row + tile_side : last};
  }
  return {0, 0, 0};
}

}  // namespace opgen::cuda
