// Numbers of 8 bits and fewer as C++ types. The types only store bits, and kernels do the
// arithmetic. Numbers of 4 bits share bytes: an object holds two numbers, and a tensor of n
// elements has (n + 1) / 2 objects.
#pragma once

#include <cstdint>

namespace opgen {

struct f8e4m3 {
  uint8_t bits;
};
struct f8e5m2 {
  uint8_t bits;
};
struct f8e4m3fnuz {
  uint8_t bits;
};
struct f8e5m2fnuz {
  uint8_t bits;
};
struct f8e8m0 {
  uint8_t bits;
};
struct f4e2m1 {
  uint8_t bits;
};
struct i4 {
  uint8_t bits;
};
struct u4 {
  uint8_t bits;
};

/// The bits of element i of a tensor with two elements in each byte. The first is in the lower
/// half.
template <class T>
constexpr uint8_t half_byte(const T* data, int64_t i) noexcept {
  return data[i / 2].bits >> i % 2 * 4 & 0xf;
}

/// Writes element i. The write also reads and writes the other element in the byte, so one thread
/// must write both.
template <class T>
constexpr void set_half_byte(T* data, int64_t i, uint8_t bits) noexcept {
  const int shift = i % 2 * 4;
  const int kept = data[i / 2].bits & 0xf0 >> shift;
  data[i / 2].bits = static_cast<uint8_t>(kept | (bits & 0xf) << shift);
}

}  // namespace opgen
