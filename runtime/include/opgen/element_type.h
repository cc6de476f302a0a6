// Element types as values: their codes, names and sizes, and functions that derive a type from
// others.
#pragma once

#include <cstdint>

#include "opgen/element_types.h"

namespace opgen {

/// The codes are part of every packed descriptor.
enum class ElementType : int32_t {
#define OPGEN_CODE(type, name, code, ...) type = code,
  OPGEN_ELEMENT_TYPES(OPGEN_CODE)
#undef OPGEN_CODE
};

/// The kinds of types. If an operation mixes kinds, the result has the kind that is later here.
enum class Kind : int32_t { boolean, unsigned_int, signed_int, floating, complex };

struct ElementTypeInfo {
  const char* name;
  int32_t bits;
  Kind kind;
};

/// Facts of each type, by code.
constexpr ElementTypeInfo element_types[] = {
#define OPGEN_INFO(type, name, code, bits, kind, ...) {name, bits, Kind::kind},
    OPGEN_ELEMENT_TYPES(OPGEN_INFO)
#undef OPGEN_INFO
};

constexpr int32_t element_type_count = sizeof element_types / sizeof element_types[0];

/// True if `code` is the code of an element type.
constexpr bool is_element_type(int64_t code) noexcept {
  return 0 <= code && code < element_type_count;
}

constexpr const ElementTypeInfo& info(ElementType type) noexcept {
  return element_types[static_cast<int32_t>(type)];
}

constexpr const char* name(ElementType type) noexcept { return info(type).name; }

constexpr int64_t bits(ElementType type) noexcept { return info(type).bits; }

/// Returns the number of elements that share a byte; 1 for types of 8 bits or more.
constexpr int64_t per_byte(ElementType type) noexcept {
  return bits(type) < 8 ? 8 / bits(type) : 1;
}

/// The number of bytes of one element, or of the elements that share a byte.
constexpr int64_t size_of(ElementType type) noexcept { return (bits(type) + 7) / 8; }

/// The number of bytes of `count` contiguous elements. `count` is an `int64_t` or an `Int`.
template <class Count>
constexpr Count size_of(ElementType type, Count count) {
  return (count + Count(per_byte(type) - 1)) / Count(per_byte(type)) * Count(size_of(type));
}

/// The type in which values of `type` are accumulated: f32 for narrower floats.
constexpr ElementType accum(ElementType type) noexcept {
  switch (info(type).kind) {
    case Kind::floating: return bits(type) < 32 ? ElementType::F32 : type;
    case Kind::signed_int:
    case Kind::boolean: return ElementType::I64;
    case Kind::unsigned_int: return ElementType::U64;
    case Kind::complex: break;
  }
  return type;
}

/// Returns the smallest type that can hold values of both types. For two types of one kind, this is
/// the wider type, or f32 for bf16 and f16. For two kinds, the result has the kind that is later in
/// `Kind`. A signed result is wide enough for the unsigned type, up to 64 bits.
constexpr ElementType promote(ElementType a, ElementType b) noexcept {
  if (a == b) return a;
  const bool ordered =
      info(a).kind != info(b).kind ? info(a).kind < info(b).kind : bits(a) <= bits(b);
  const ElementType low = ordered ? a : b;
  const ElementType high = ordered ? b : a;
  if (info(low).kind == info(high).kind) {
    return bits(low) == bits(high) ? ElementType::F32 : high;
  }
  if (info(low).kind == Kind::unsigned_int && info(high).kind == Kind::signed_int) {
    const int64_t wanted = bits(high) > 2 * bits(low) ? bits(high) : 2 * bits(low);
    if (wanted >= 64) return ElementType::I64;
    if (wanted == 32) return ElementType::I32;
    return wanted == 16 ? ElementType::I16 : ElementType::I8;
  }
  if (info(high).kind == Kind::complex && info(low).kind == Kind::floating &&
      bits(low) > bits(high) / 2) {
    return ElementType::C128;
  }
  return high;
}

/// The type of the real part: f32 for c64, f64 for c128, and otherwise `type` itself.
constexpr ElementType real(ElementType type) noexcept {
  if (type == ElementType::C64) return ElementType::F32;
  return type == ElementType::C128 ? ElementType::F64 : type;
}

}  // namespace opgen
