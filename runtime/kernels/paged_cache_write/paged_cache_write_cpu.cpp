// Writes rows of keys and values to slots of a paged cache, on the CPU.
//
// Each thread writes separate heads, with the tokens in order. So if two tokens have the same slot,
// the later one is kept. Tokens with a slot out of range are not written.
#include "paged_cache_write.h"

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "opgen/float8_narrow.h"
#include "opgen/rows.h"

namespace generated::cpu {

/// Writes one head of one token, converted to the cache's type.
template <class T, class C>
void write_head(const T* from, C* to, int64_t columns, const float* scale) noexcept {
  if constexpr (std::is_same_v<T, C>) {
    std::memcpy(to, from, static_cast<size_t>(columns) * sizeof(T));
  } else {
    const float limit = opgen::Float8<C>::limit, by = *scale;
    opgen::each_vector<float>(0, columns, opgen::Streamed{}, [=](auto v) {
      v.store(to, opgen::clamp<float>(v.load(from) / by, -limit, limit));
    });
  }
}

template <class T, class C>
opgen::Status paged_cache_write(const PagedCacheWriteView<T, C>& op) noexcept {
  const int64_t tokens = op.desc.t, heads = op.desc.h, columns = op.desc.d, rows = op.desc.bs;
  const int32_t* slots = op.slots.data;  // tokens
  const int64_t slot_count = op.desc.nb * rows;
  for (int64_t token = 0; token < tokens; ++token) {
    if (slots[token] < slot_count) continue;
    return op.ctx.bad_index("slots", op.slots, token, slots[token], -1, slot_count);
  }
  // `order` is an index in the spec's `choices`. With "NHD" (0), the heads of a row are contiguous.
  // With "HND" (1), the rows of a head are contiguous.
  const bool heads_inside = op.desc.order == 0;
  const int64_t row_step = heads_inside ? heads * columns : columns;
  const int64_t head_step = heads_inside ? columns : rows * columns;

  const int64_t grain = opgen::rows_of_a_thread(2 * tokens * columns);
  opgen::parallel(op.ctx, heads, grain, [=, &op](int64_t begin, int64_t end) {
    for (int64_t token = 0; token < tokens; ++token) {
      const int64_t slot = slots[token];
      if (slot < 0) continue;
      const int64_t row = slot / rows * rows * heads * columns + slot % rows * row_step;
      for (int64_t head = begin; head < end; ++head) {
        const int64_t to = row + head * head_step;
        write_head(op.k.data + token * op.k.stride(0) + head * op.k.stride(1), op.k_cache.data + to,
                   columns, op.k_scale.data);
        write_head(op.v.data + token * op.v.stride(0) + head * op.v.stride(1), op.v_cache.data + to,
                   columns, op.v_scale.data);
      }
    }
  });
  return opgen::Status::ok;
}

}  // namespace generated::cpu
