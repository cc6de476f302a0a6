// The values that outputs and workspace hold before a kernel runs.
#pragma once

#include <complex>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "opgen/buffer.h"
#include "opgen/context.h"
#include "opgen/dtype.h"
#include "opgen/int.h"
#include "opgen/refused.h"

namespace opgen {

/// The bytes of one element of any type, or of the elements that share a byte.
struct Element {
  alignas(16) unsigned char bytes[16] = {};
  int64_t size = 0;

  /// True if all its bytes are the same.
  bool uniform() const noexcept {
    for (int64_t i = 1; i < size; ++i) {
      if (bytes[i] != bytes[0]) return false;
    }
    return true;
  }
};

namespace detail {

template <class T>
Element bytes_of(T value) {
  static_assert(sizeof value <= sizeof Element().bytes);
  Element element;
  element.size = sizeof value;
  std::memcpy(element.bytes, &value, sizeof value);
  return element;
}

/// Converts an integer to an element of `type`. Elements that share a byte all get this value.
inline Element integer(const char* op, const char* name, ElementType type, Int value) {
  const bool has_sign = info(type).kind == Kind::signed_int;
  const int64_t digits = bits(type) - has_sign;
  const bool below = has_sign ? digits < 63 && value < -(int64_t{1} << digits) : value < 0;
  if (below || (digits < 63 && value >= int64_t{1} << digits)) {
    refuse(op, ": ", name, ": ", value, " does not fit ", opgen::name(type));
  }
  auto word = static_cast<uint64_t>(value.value());
  if (per_byte(type) > 1) {
    const uint64_t mask = (1u << bits(type)) - 1;
    word = (word & mask) * (0xff / mask);
  }
  Element element = bytes_of(word);
  element.size = size_of(type);
  return element;
}

}  // namespace detail

/// Converts `value`, a number or a bool, to an element of `type`. Throws `Refused` if the value
/// does not fit.
template <class V>
Element element(const char* op, const char* name, ElementType type, const V& value) {
  using detail::bytes_of;
  const double number = static_cast<double>(value);
  switch (type) {
    case ElementType::BF16: return bytes_of(bf16(static_cast<float>(number)));
    case ElementType::F16: return bytes_of(f16(static_cast<float>(number)));
    case ElementType::F32: return bytes_of(static_cast<float>(number));
    case ElementType::F64: return bytes_of(number);
    case ElementType::C64: return bytes_of(std::complex<float>(static_cast<float>(number)));
    case ElementType::C128: return bytes_of(std::complex<double>(number));
    case ElementType::BOOL: return bytes_of(static_cast<unsigned char>(number != 0));
    default: break;
  }
  if (info(type).kind != Kind::floating) {
    if constexpr (std::is_floating_point_v<V>) {
      refuse(op, ": ", name, ": ", value, " is no integer");
    } else {
      return detail::integer(op, name, type, Int(value));
    }
  }
  // Floats of 8 bits and fewer have no conversion here, except 0 for types in which 0 has zero
  // bits.
  if (number != 0 || type == ElementType::F8E8M0) {
    refuse(op, ": ", name, ": ", value, " does not fit ", opgen::name(type));
  }
  return bytes_of(static_cast<unsigned char>(0));
}

/// Sets every element of a tensor on the host to one value. Gaps between its rows are overwritten
/// too.
inline void fill(const Context& ctx, const Buffer& tensor, const Element& value) {
  auto* const data = static_cast<unsigned char*>(tensor.data);
  const bool uniform = value.uniform();
  const int64_t count = size_of(tensor.dtype, extent(tensor)) / value.size;
  parallel(ctx, count, 1 << 16, [&](int64_t begin, int64_t end) {
    unsigned char* const first = data + begin * value.size;
    if (uniform) {
      std::memset(first, value.bytes[0], static_cast<size_t>((end - begin) * value.size));
      return;
    }
    for (int64_t i = 0; i < end - begin; ++i) {
      std::memcpy(first + i * value.size, value.bytes, static_cast<size_t>(value.size));
    }
  });
}

inline void fill(const Context& ctx, const BufferList& list, const Element& value) {
  for (int64_t i = 0; i < list.count; ++i) fill(ctx, list.items[i], value);
}

}  // namespace opgen
