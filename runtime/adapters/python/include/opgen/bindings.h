// The table that a rendered `cpp/bindings.cpp` is; `adapters/python/bindings.cpp` makes a module of
// it.
#pragma once

#include <cstdint>
#include <initializer_list>

namespace opgen::bindings {

/// The types of fields; `dtype` is the code of an element type.
enum Type : uint8_t { i32, i64, f32, f64, c128, bool_, dtype };

struct Field {
  const char* name;
  Type type;
  int32_t offset;
  /// The number of its values; 0 if it is not an array.
  int32_t count = 0;
};

/// The descriptor of an op.
struct Descriptor {
  const char* op;
  int32_t size;
  std::initializer_list<Field> fields;
};

/// The namespace of the ops.
extern const char* const library;

/// The descriptors of all ops.
extern const std::initializer_list<Descriptor> descriptors;

}  // namespace opgen::bindings
