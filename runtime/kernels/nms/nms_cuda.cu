// Non-maximum suppression on CUDA.
//
// Boxes are processed by descending score, one tile per launch. Every block finds which boxes of
// the tile are kept. It then finds the boxes that these suppress, in its part of the later boxes.
// So the work grows with the number of kept boxes, and not with the number of all pairs. The
// comparisons are the same as on the CPU.
#include "nms.h"

#include <algorithm>

#include "opgen/cuda_order.h"
#include "opgen/cuda_sort.h"

namespace generated {
namespace cuda {
namespace {

constexpr int nms_threads = 256;
constexpr int tile_boxes = 128;
constexpr int tile_words = tile_boxes / 32;

/// Bits, one for each box of a tile.
struct alignas(16) TileBits {
  uint32_t words[tile_words];
};

/// Two corners of a box, and its area.
struct Box {
  float x1, y1, x2, y2, area;

  /// True if this box overlaps `better` by more than `iou` of the union of both boxes.
  __device__ bool overlaps(const Box& better, float iou) const {
    // No multiply-add, because the product is rounded on the CPU.
    const float shared =
        __fmul_rn(side(x1, x2, better.x1, better.x2), side(y1, y2, better.y1, better.y2));
    return shared > iou * (area + better.area - shared);
  }

 private:
  __device__ static float side(float from, float to, float least, float most) {
    const float shared = (to < most ? to : most) - (from > least ? from : least);
    return shared > 0 ? shared : 0;
  }
};

/// All boxes by descending score.
struct SortedBoxes {
  int64_t n;
  float* sides;      // 5 n
  int32_t* dropped;  // n

  __device__ Box operator[](int64_t i) const {
    return {sides[i], sides[n + i], sides[2 * n + i], sides[3 * n + i], sides[4 * n + i]};
  }
};

__global__ void rank_scores(int64_t n,
                            const float* scores,  // n
                            uint64_t* keys) {     // n
  for (int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n;
       i += static_cast<int64_t>(gridDim.x) * blockDim.x) {
    // A NaN comes before all numbers, as in torchvision. No number has its key.
    const uint64_t place = scores[i] != scores[i] ? uint64_t{0xfffffffe} << 32 : 0;
    keys[i] = opgen::cuda::ranked(scores[i], i) | place;
  }
}

/// Converts each key to an index, and copies the box with this index.
__global__ void collect_boxes(SortedBoxes boxes,
                              const float* corners,  // n 4
                              int64_t* order,        // n; keys at first
                              int64_t* count) {      // scalar
  const int64_t n = boxes.n;
  const int64_t first = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (first == 0) *count = 0;
  for (int64_t i = first; i < n; i += static_cast<int64_t>(gridDim.x) * blockDim.x) {
    const int64_t id = opgen::cuda::index_of(static_cast<uint64_t>(order[i]));
    const float* box = corners + 4 * id;
    for (int side = 0; side < 4; ++side) boxes.sides[side * n + i] = box[side];
    boxes.sides[4 * n + i] = (box[2] - box[0]) * (box[3] - box[1]);
    boxes.dropped[i] = 0;
    order[i] = id;
  }
}

/// Appends the kept boxes of the tile that starts at `begin` to `order`, at or before their present
/// positions. Drops the later boxes that they suppress.
__global__ void
__launch_bounds__(nms_threads)
suppress(SortedBoxes boxes, int64_t begin, float iou,
         int64_t* order,    // n
         int64_t* count) {  // scalar
  __shared__ Box tile[tile_boxes];
  __shared__ TileBits suppressed[tile_boxes];  // by each box
  __shared__ TileBits gone;

  const int thread = threadIdx.x;
  const int64_t left = boxes.n - begin;
  const int size = left < tile_boxes ? static_cast<int>(left) : tile_boxes;
  if (thread < tile_boxes) {
    const bool dropped = thread >= size || boxes.dropped[begin + thread] != 0;
    if (thread < size) tile[thread] = boxes[begin + thread];
    const unsigned word = __ballot_sync(0xffffffffu, dropped);
    if (thread % 32 == 0) gone.words[thread / 32] = word;
  }
  __syncthreads();
  for (int i = thread; i < tile_boxes * tile_words; i += nms_threads) {
    const int better = i / tile_words, word = i % tile_words;
    uint32_t bits = 0;
    for (int bit = 0; bit < 32; ++bit) {
      const int box = 32 * word + bit;
      if (box <= better || box >= size) continue;
      bits |= static_cast<uint32_t>(tile[box].overlaps(tile[better], iou)) << bit;
    }
    suppressed[better].words[word] = bits;
  }
  __syncthreads();
  if (thread == 0) {
    TileBits found = gone;
#pragma unroll
    for (int word = 0; word < tile_words; ++word) {
#pragma unroll 8
      for (int bit = 0; bit < 32; ++bit) {
        const TileBits more = suppressed[32 * word + bit];
        const uint32_t stays = (found.words[word] >> bit & 1) - 1;  // all bits, or none
#pragma unroll
        for (int other = 0; other < tile_words; ++other) {
          found.words[other] |= more.words[other] & stays;
        }
      }
    }
    gone = found;
  }
  __syncthreads();
  for (int64_t i = begin + size + static_cast<int64_t>(blockIdx.x) * blockDim.x + thread;
       i < boxes.n; i += static_cast<int64_t>(gridDim.x) * blockDim.x) {
    if (boxes.dropped[i] != 0) continue;
    const Box box = boxes[i];
    bool overlaps = false;
    for (int word = 0; word < tile_words; ++word) {
      for (unsigned stay = ~gone.words[word]; stay != 0 && !overlaps; stay &= stay - 1) {
        overlaps = box.overlaps(tile[32 * word + __ffs(stay) - 1], iou);
      }
    }
    if (overlaps) boxes.dropped[i] = 1;
  }
  if (blockIdx.x > 0) return;
  const bool stays = thread < tile_boxes && (gone.words[thread / 32] >> thread % 32 & 1) == 0;
  const int64_t before = *count, id = stays ? order[begin + thread] : 0;
  int place = 0, kept = 0;
  for (int word = 0; word < tile_words; ++word) {
    const unsigned stay = ~gone.words[word];
    if (thread / 32 > word) place += __popc(stay);
    if (thread / 32 == word) place += __popc(stay & ((1u << thread % 32) - 1));
    kept += __popc(stay);
  }
  __syncthreads();  // all boxes of the tile have been read
  if (stays) order[before + place] = id;
  if (thread == 0) *count = before + kept;
}

__global__ void fill_rest(int64_t n,
                          const int64_t* count,  // scalar
                          int64_t* keep) {       // n
  for (int64_t i = *count + static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n;
       i += static_cast<int64_t>(gridDim.x) * blockDim.x) {
    keep[i] = -1;
  }
}

}  // namespace
}  // namespace cuda

extern "C" opgen::Status nms_by_tiles(const NmsArgs* args) noexcept {
  constexpr unsigned most_blocks = 1024;  // each block reads the whole tile
  const opgen::Context& ctx = *args->ctx;
  const int64_t n = args->desc->n;
  if (n > opgen::cuda::most_ranked) return opgen::Status::unsupported;
  const auto* scores = static_cast<const float*>(args->scores.data);
  const auto* corners = static_cast<const float*>(args->boxes.data);
  auto* const order = static_cast<int64_t*>(args->keep.data);
  auto* const keys = reinterpret_cast<uint64_t*>(order);
  auto* const count = static_cast<int64_t*>(args->count.data);
  const cuda::SortedBoxes boxes{n, static_cast<float*>(args->sorted.data),
                                static_cast<int32_t*>(args->dropped.data)};
  const auto blocks = [](int64_t elements) {
    return std::max(1u, opgen::cuda::blocks_for(elements, cuda::nms_threads));
  };
  auto status = opgen::Status::ok;
  const auto start = [&](auto kernel, unsigned grid, const auto&... arguments) {
    if (status != opgen::Status::ok) return;
    status = opgen::cuda::launch(ctx, kernel, grid, cuda::nms_threads, arguments...);
  };
  start(cuda::rank_scores, blocks(n), n, scores, keys);
  if (status == opgen::Status::ok) status = opgen::cuda::sort_keys(ctx, n, keys);
  start(cuda::collect_boxes, blocks(n), boxes, corners, order, count);
  const float iou = static_cast<float>(args->desc->iou);
  for (int64_t begin = 0; begin < n; begin += cuda::tile_boxes) {
    const unsigned grid = std::min(blocks(std::max<int64_t>(0, n - begin - cuda::tile_boxes)), most_blocks);
    start(cuda::suppress, grid, boxes, begin, iou, order, count);
  }
  start(cuda::fill_rest, blocks(n), n, count, order);
  return status;
}

}  // namespace generated
