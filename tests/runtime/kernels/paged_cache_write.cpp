#include "kernel_suite.h"
#include "paged_cache_write_call.h"

using namespace generated;
using namespace suite;

static void run(const Shape& shape, ElementType T, ElementType C, const char* order) {
  const int64_t heads = 3, blocks = 5, rows = 4;
  const bool rows_first = order[0] == 'N';
  const std::vector<int64_t> cache = {blocks, rows_first ? rows : heads, rows_first ? heads : rows,
                                      shape.columns};
  Made k({shape.rows, heads, shape.columns}, T, shape.offset);
  Made v({shape.rows, heads, shape.columns}, T, shape.offset);
  Made k_cache(cache, C, shape.offset), v_cache(cache, C, shape.offset);
  std::memset(k_cache.buffer.data, 0, static_cast<size_t>(k_cache.bytes));
  std::memset(v_cache.buffer.data, 0, static_cast<size_t>(v_cache.bytes));
  Made slots({shape.rows}, ElementType::I32, shape.offset), scale({}, ElementType::F32);
  for (int64_t token = 0; token < shape.rows; ++token) {  // repeated and missing slots
    const int64_t slot = token * token % (blocks * rows + 1) - 1;
    static_cast<int32_t*>(slots.buffer.data)[token] = static_cast<int32_t>(slot);
  }
  scale.set(0, 0.5);
  const opgen::Buffer by = C == T ? opgen::Buffer{} : scale.buffer;
  const PagedCacheWriteCall call(k.fill(1).buffer, v.fill(2).buffer, k_cache.buffer, v_cache.buffer,
                                 slots.buffer, by, by, order);
  const PagedCacheWriteDescriptor desc = call.descriptor();
  const PagedCacheWriteArgs args{&desc,          &context,     k.buffer, v.buffer, k_cache.buffer,
                                 v_cache.buffer, slots.buffer, by,       by};
  show("paged_cache_write", generated_paged_cache_write_cpu(&args), {&k_cache, &v_cache});
}

static const Family family("paged_cache_write", [](const Shape& shape) {
  for (ElementType T : {ElementType::F32, ElementType::BF16, ElementType::F16}) {
    run(shape, T, T, "NHD");
    run(shape, T, ElementType::F8E4M3, "HND");
  }
});
