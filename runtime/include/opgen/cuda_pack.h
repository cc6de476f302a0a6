// Packs of neighbouring elements that are moved together, up to 16 bytes at a time.
#pragma once

#include <cstddef>
#include <cstdint>

#include "opgen/buffer.h"
#include "opgen/cuda.h"

namespace opgen::cuda {

/// `width` neighbouring elements. A pack of more than 16 bytes is moved in pieces of 16 bytes.
template <class T, int count = 16 / sizeof(T)>
struct alignas(count * sizeof(T) < 16 ? count * sizeof(T) : 16) Pack {
  static constexpr int width = count;

  T items[count];
};

/// The number of elements of several types to move at once. They have 16 bytes in the narrowest
/// type, but at most 32 bytes in the widest type, so that they fit into registers.
template <class... T>
__host__ __device__ constexpr int pack_width() noexcept {
  size_t narrowest = 16, widest = 1;
  ((narrowest = sizeof(T) < narrowest ? sizeof(T) : narrowest), ...);
  ((widest = sizeof(T) > widest ? sizeof(T) : widest), ...);
  return static_cast<int>(16 / narrowest < 32 / widest ? 16 / narrowest : 32 / widest);
}

/// Returns pack number `at` of the array that starts at `data`.
template <int width, class T>
__device__ Pack<T, width> load(const T* data, int64_t at) {
  return reinterpret_cast<const Pack<T, width>*>(data)[at];
}

template <int width, class T>
__device__ void store(T* data, int64_t at, const Pack<T, width>& pack) {
  reinterpret_cast<Pack<T, width>*>(data)[at] = pack;
}

/// A tensor of 32-bit or 64-bit integers, which are read as 64-bit integers.
class Integers {
 public:
  /// Wraps a tensor of i32 or i64. An absent tensor must not be read.
  explicit Integers(const Buffer& buffer) noexcept
      : data_(buffer.data), wide_(buffer.dtype == ElementType::I64) {}

  __device__ int64_t operator[](int64_t at) const {
    return wide_ ? static_cast<const int64_t*>(data_)[at] : static_cast<const int32_t*>(data_)[at];
  }

 private:
  const void* data_;
  bool wide_;
};

/// True if each of these tensors starts at a multiple of 16 bytes or is absent.
template <class... T>
bool aligned(const T*... data) noexcept {
  return ((reinterpret_cast<uintptr_t>(data) | ... | uintptr_t{0}) & 15) == 0;
}

}  // namespace opgen::cuda
