// Writes rows of keys and values to slots of a paged cache, on CUDA.
//
// Every slot belongs to one warp, or to one warp for each part of the heads. The warp searches all
// slots for its own, and writes their tokens in order. So if two tokens have the same slot, the
// later one is kept. The slots are few bytes compared with the rows. Tokens with a slot out of
// range are not written.
#include "paged_cache_write.h"

#include <algorithm>
#include <type_traits>

#include "opgen/cuda_rows.h"
#include "opgen/float8_narrow.h"

namespace generated::cuda {

using opgen::cuda::Pack;
using opgen::cuda::warp_size;

namespace {

struct CacheShape {
  int64_t tokens, heads, columns;
  int64_t slots;                // the number of slots of the cache
  int64_t rows;                 // the number of slots of a block
  int64_t row_step, head_step;  // strides in a block of the cache
  int across;                   // the number of threads of a warp that share a head
};

/// The new keys or the new values, and their cache.
template <class T, class C>
struct CacheWrite {
  const T* from;  // tokens heads columns, apart as the steps say
  int64_t token_step, head_step;
  C* cache;
  const float* scale;  // scalar, or null

  template <int width>
  __device__ Pack<T, width> load(int64_t token, int64_t head, int64_t at) const {
    return opgen::cuda::load<width>(from + token * token_step + head * head_step, at);
  }

  /// `place` is the offset of the head in the cache.
  template <int width>
  __device__ void store(int64_t place, int64_t at, const Pack<T, width>& pack) const {
    if constexpr (std::is_same_v<T, C>) {
      opgen::cuda::store(cache + place, at, pack);
    } else {
      const float by = *scale;
      Pack<C, width> narrow;
#pragma unroll
      for (int i = 0; i < width; ++i) {
        narrow.items[i] = opgen::Float8<C>::saturated(static_cast<float>(pack.items[i]) / by);
      }
      opgen::cuda::store(cache + place, at, narrow);
    }
  }
};

/// Returns the owner of a slot, below `owners`. It spreads neighbouring slots, and slots at the
/// same position of different blocks.
__device__ inline uint32_t owner_of(int32_t slot, uint32_t owners) {
  return static_cast<uint64_t>(static_cast<uint32_t>(slot) * 0x9E3779B9u) * owners >> 32;
}

template <int width, class T, class C>
__global__ void write_tokens(CacheShape shape,
                             const int32_t* slots,  // tokens
                             CacheWrite<T, C> k, CacheWrite<T, C> v) {
  const int lane = threadIdx.x % warp_size;
  const uint32_t warps = blockDim.x / warp_size, owners = gridDim.x * warps;
  const uint32_t self = blockIdx.x * warps + threadIdx.x / warp_size;
  const int64_t packs = shape.columns / width;
  const int64_t heads_at_once = warp_size / shape.across;
  for (int64_t first = 0; first < shape.tokens; first += warp_size) {
    const int32_t seen = first + lane < shape.tokens ? slots[first + lane] : -1;
    const bool mine = 0 <= seen && seen < shape.slots && owner_of(seen, owners) == self;
    unsigned left = __ballot_sync(0xffffffffu, mine);
    for (; left != 0; left &= left - 1) {
      const int from = __ffs(left) - 1;
      const int64_t token = first + from, slot = __shfl_sync(0xffffffffu, seen, from);
      const int64_t row = slot / shape.rows * shape.rows * shape.heads * shape.columns +
                          slot % shape.rows * shape.row_step;
      for (int64_t head = blockIdx.y * heads_at_once + lane / shape.across; head < shape.heads;
           head += gridDim.y * heads_at_once) {
        const int64_t place = row + head * shape.head_step;
        for (int64_t at = lane % shape.across; at < packs; at += shape.across) {
          const auto key = k.template load<width>(token, head, at);
          const auto value = v.template load<width>(token, head, at);
          k.template store<width>(place, at, key);
          v.template store<width>(place, at, value);
        }
      }
    }
  }
}

}  // namespace

template <class T, class C>
opgen::Status paged_cache_write(const PagedCacheWriteView<T, C>& op) noexcept {
  constexpr int64_t block_warps = 4, most_owners = 2048;
  constexpr int wide = opgen::cuda::pack_width<T, C>();
  const int64_t tokens = op.desc.t, heads = op.desc.h, columns = op.desc.d, rows = op.desc.bs;
  if (tokens == 0) return opgen::Status::ok;
  const CacheWrite<T, C> k{op.k.data, op.k.stride(0), op.k.stride(1), op.k_cache.data,
                           op.k_scale.data};
  const CacheWrite<T, C> v{op.v.data, op.v.stride(0), op.v.stride(1), op.v_cache.data,
                           op.v_scale.data};
  const bool packed = columns % wide == 0 && k.token_step % wide == 0 && k.head_step % wide == 0 &&
                      v.token_step % wide == 0 && v.head_step % wide == 0 &&
                      opgen::cuda::aligned(k.from, v.from, k.cache, v.cache);
  // `order` is an index in the spec's `choices`. With "NHD" (0), the heads of a row are contiguous.
  // With "HND" (1), the rows of a head are contiguous.
  const bool heads_inside = op.desc.order == 0;
  CacheShape shape{tokens,
                   heads,
                   columns,
                   op.desc.nb * rows,
                   rows,
                   heads_inside ? heads * columns : columns,
                   heads_inside ? columns : rows * columns,
                   1};
  const int64_t packs = packed ? columns / wide : columns;
  while (shape.across < packs && shape.across < warp_size) shape.across *= 2;
  const unsigned blocks = opgen::cuda::blocks_for(std::min(tokens, most_owners), block_warps);
  const int64_t turns = (heads * shape.across + warp_size - 1) / warp_size;
  const int64_t shares = std::clamp<int64_t>(most_owners / (blocks * block_warps), 1, turns);
  return opgen::cuda::launch(op.ctx, packed ? write_tokens<wide, T, C> : write_tokens<1, T, C>,
                             dim3(blocks, static_cast<unsigned>(shares)), block_warps * warp_size,
                             shape, op.slots.data, k, v);
}

}  // namespace generated::cuda
