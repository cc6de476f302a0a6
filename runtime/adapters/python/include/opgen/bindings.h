// The table that a rendered `cpp/bindings.cpp` defines. `adapters/python/bindings.cpp` creates a
// Python module from this table.
#pragma once

#include <cstdint>
#include <initializer_list>

namespace opgen::bindings {

/// The types of descriptor fields. `dtype` is the code of an element type.
enum Type : uint8_t { i32, i64, f32, f64, c128, bool_, dtype };

struct Field {
  const char* name;
  Type type;
  int32_t offset;
  /// The number of values of an array; 0 if the field is not an array.
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
